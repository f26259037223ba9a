// trellis: cs_6_0 main
// Groupshared memory written in one branch and read in another, with barriers between.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint count;
groupshared uint kept[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    if (lane == 0)
        count = 0;
    GroupMemoryBarrierWithGroupSync();
    uint v = In[id], slot;
    if (v & 1)
    {
        InterlockedAdd(count, 1, slot);
        kept[slot] = v;
    }
    GroupMemoryBarrierWithGroupSync();
    if (lane < count)
        Out[id] = kept[lane];
    else
        Out[id] = 0;
}
