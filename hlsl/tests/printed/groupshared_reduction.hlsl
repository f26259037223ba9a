// trellis: cs_6_0 main
// A tree sum in groupshared memory with a barrier after each level.

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
groupshared float sums[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex, uint3 group : SV_GroupID)
{
    sums[lane] = In[id];
    GroupMemoryBarrierWithGroupSync();
    for (uint half = 32; half > 0; half >>= 1)
    {
        if (lane < half)
            sums[lane] += sums[lane + half];
        GroupMemoryBarrierWithGroupSync();
    }
    if (lane == 0)
        Out[group.x] = sums[0];
}
// ---- printed ----
// dxc -T cs_6_0 -E main
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
groupshared float sums[64];

[numthreads(64, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID, uint3 groupID : SV_GroupID, uint groupIndex : SV_GroupIndex)
{
    sums[groupIndex] = In[dispatchThreadID.x];
    GroupMemoryBarrierWithGroupSync();
    uint v0 = 32u;
    while (true) {
        bool t0 = groupIndex < v0;
        if (t0) {
            sums[groupIndex] = sums[groupIndex] + sums[v0 + groupIndex];
        }
        GroupMemoryBarrierWithGroupSync();
        v0 = v0 >> 1u;
        if (v0 == 0u) {
            break;
        }
    }
    if (groupIndex == 0u) {
        Out[groupID.x] = sums[0];
    }
}
