// trellis: cs_6_0 main
// All atomic operations, on groupshared memory and on a UAV.
groupshared uint shared_sum;
groupshared int shared_least;
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex) {
    if (i == 0) {
        shared_sum = 0;
        shared_least = 100;
    }
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(shared_sum, i);
    InterlockedMin(shared_least, (int)i - 7);
    GroupMemoryBarrierWithGroupSync();
    uint old;
    Out.InterlockedAdd(0, 2, old);
    Out.InterlockedAnd(4, ~i, old);
    Out.InterlockedOr(8, i, old);
    Out.InterlockedXor(12, i + 1, old);
    Out.InterlockedMax(16, i, old);
    Out.InterlockedMin(20, i + 3, old);
    Out.InterlockedCompareExchange(24, i, i + 1, old);
    if (i == 63) {
        Out.InterlockedExchange(28, 55, old);
        Out.Store(32, old);
        Out.Store(36, shared_sum);
        Out.Store(40, shared_least);
    }
}
