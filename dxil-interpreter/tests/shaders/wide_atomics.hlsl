// trellis: cs_6_6 main
// Atomic operations on 64 bits, on a UAV and on groupshared memory.
groupshared uint64_t sum;
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    if (i == 0)
        sum = 0;
    GroupMemoryBarrierWithGroupSync();
    uint64_t old;
    InterlockedAdd(sum, (uint64_t)1 << (i + 30), old);
    InterlockedMax(Out[0], (uint64_t)i << 32, old);
    InterlockedCompareExchange(Out[1], (uint64_t)i, (uint64_t)(i + 1), old);
    GroupMemoryBarrierWithGroupSync();
    if (i == 0)
        Out[2] = sum;
}
