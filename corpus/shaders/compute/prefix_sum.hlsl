// trellis: cs_6_0 main
// A group-wide scan: wave scans, a groupshared array of wave totals, a barrier.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint totals[64];

[numthreads(256, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    uint v = In[id];
    uint sum = WavePrefixSum(v);
    uint wave = thread / WaveGetLaneCount();
    if (WaveGetLaneIndex() == WaveGetLaneCount() - 1)
        totals[wave] = sum + v;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < wave; i++)
        sum += totals[i];
    Out[id] = sum;
}
