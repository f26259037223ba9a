// trellis: cs_6_0 main
// AddUint64: the pair-of-words addition with carry.

StructuredBuffer<uint4> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint4 a = In[id], b = In[id + 1];
    Out[id] = AddUint64(a, b);
    Out[id + 64].xy = AddUint64(a.xy, b.zw);
}
