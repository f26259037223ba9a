// trellis: cs_6_2 main -enable-16bit-types
// Constant tables of half, double, 64-bit and boolean elements, and of two dimensions.

static const half h[4] = { 0.5, 1.5, -2.5, 1024.0 };
static const double d[3] = { 0.1, 1e300, -2.0 };
static const int64_t l[3] = { 1, -5, 0x123456789abll };
static const bool b[5] = { true, false, true, true, false };
static const int grid[2][3] = { { 1, 2, 3 }, { -4, -5, -6 } };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    Out[id] = h[v & 3] + d[v % 3] + (double)l[v % 3] + (b[v % 5] ? 1 : 0) + grid[v & 1][v % 3];
}
