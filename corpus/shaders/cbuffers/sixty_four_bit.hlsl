// trellis: cs_6_0 main
// trellis.sm62: cs_6_2 main
// Constant buffers with doubles and 64-bit integers, that align to eight bytes.

cbuffer Params : register(b0)
{
    float a;
    double b;
    int64_t c;
    double3 d;
    uint64_t2 e[2];
    double f[2];
};
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = a + b + (double)c + d.z + (double)e[In[id] & 1].y + f[In[id] & 1];
}
