// trellis: cs_6_0 main
// Every 32-bit atomic on groupshared memory, signed and unsigned.

StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);
groupshared uint bins[16];
groupshared int extremes[2];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    if (lane < 16)
        bins[lane] = 0;
    if (lane < 2)
        extremes[lane] = 0;
    GroupMemoryBarrierWithGroupSync();
    int v = In[id];
    uint u = (uint)v, old, sum = 0;
    InterlockedAdd(bins[0], u, old); sum += old;
    InterlockedAnd(bins[1], u, old); sum += old;
    InterlockedOr(bins[2], u, old); sum += old;
    InterlockedXor(bins[3], u, old); sum += old;
    InterlockedMin(bins[4], u, old); sum += old;
    InterlockedMax(bins[5], u, old); sum += old;
    InterlockedExchange(bins[6], u, old); sum += old;
    InterlockedCompareExchange(bins[7], 0, u, old); sum += old;
    InterlockedCompareStore(bins[8], 0, u);
    InterlockedAdd(bins[9 + (u & 3)], 1);
    InterlockedMin(extremes[0], v);
    InterlockedMax(extremes[1], v);
    GroupMemoryBarrierWithGroupSync();
    Out[id] = (int)(sum ^ bins[lane & 15]) + extremes[lane & 1];
}
