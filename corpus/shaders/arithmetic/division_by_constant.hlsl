// trellis: cs_6_0 main
// Division and remainder by constants: powers of two, others, negative, and of vectors.

StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    int a = In[id];
    uint u = (uint)a;
    Out[id * 2] = int4(a / 8, a % 8, a / -5, a % 7);
    Out[id * 2 + 1] = (int4)(uint4(u, u + 1, u + 2, u + 3) / uint4(8, 3, 1000, 65536) + u % 10);
}
