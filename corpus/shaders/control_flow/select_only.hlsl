// trellis: cs_6_0 main -HV 2018
// Conditions that become selects: no branch at all.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint a = In[id], b = In[id + 1];
    uint m = a > b ? a : b;
    uint n = (a & 1) ? m + 1 : (b & 1) ? m + 2 : m + 3;
    bool2 p = uint2(a, b) > uint2(5, 6);
    Out[id] = (p.x || p.y) ? n : m;
    Out[id + 64] = (uint)(p.x ? 1.5f : 2.5f);
}
