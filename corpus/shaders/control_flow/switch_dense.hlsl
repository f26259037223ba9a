// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A switch of eight dense cases with stores, all broken out of.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define CASE(k) case k: Out[id * 16 + k] = acc; acc += In[k]; break;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    [branch]
    switch (In[id])
    {
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
    default:
        acc = 50;
        break;
    }
    Out[id * 16 + 15] = acc;
}
