// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// An else-if ladder of sixteen arms, each with a store.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define ARM(k) else if (v == k * k + 1) { Out[id * 16 + k] = v; acc += In[k]; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], acc = 0;
    if (v == 0) { Out[id * 16] = v; acc = 3; }
    ARM(1) ARM(2) ARM(3) ARM(4) ARM(5) ARM(6) ARM(7) ARM(8)
    ARM(9) ARM(10) ARM(11) ARM(12) ARM(13) ARM(14)
    else { acc = v; }
    Out[id * 16 + 15] = acc;
}
