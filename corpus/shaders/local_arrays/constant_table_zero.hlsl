// trellis: cs_6_0 main
// A constant table that is mostly zero, and one that is all zero but for a struct's field.

struct Pair { uint a; float b; };
static const uint sparse[32] = { 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
static const Pair pairs[3] = { { 1, 0.5 }, { 0, 0 }, { 7, -1.5 } };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    Out[id] = sparse[v & 31] + pairs[v % 3].a * pairs[(v + 1) % 3].b;
}
