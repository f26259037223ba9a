// trellis: cs_6_0 first
// trellis.second: cs_6_0 second
// Two entry points in one source, with different group sizes.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 8, 1)]
void first(uint index : SV_GroupIndex)
{
    Out[index] = In[index];
}

[numthreads(32, 1, 1)]
void second(uint id : SV_DispatchThreadID)
{
    Out[id] = In[id] * 2;
}
