// trellis: cs_6_0 main
// Group barriers inside a uniform loop and a uniform branch.

cbuffer Params : register(b0) { uint rounds; uint mode; };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint values[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    values[lane] = In[id];
    GroupMemoryBarrierWithGroupSync();
    [loop]
    for (uint i = 0; i < rounds; i++)
    {
        uint v = values[lane ^ (1u << i) & 63];
        GroupMemoryBarrierWithGroupSync();
        values[lane] = values[lane] * 3 + v;
        GroupMemoryBarrierWithGroupSync();
    }
    [branch]
    if (mode == 1)
    {
        uint v = values[63 - lane];
        GroupMemoryBarrierWithGroupSync();
        values[lane] = v;
        GroupMemoryBarrierWithGroupSync();
    }
    Out[id] = values[(lane + 1) & 63];
}
