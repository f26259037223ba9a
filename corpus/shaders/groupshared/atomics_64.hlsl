// trellis: cs_6_6 main
// 64-bit atomics and floating-point exchanges on groupshared memory (shader model 6.6).

StructuredBuffer<uint64_t> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);
groupshared uint64_t words[8];
groupshared int64_t low;
groupshared float floats[2];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    if (lane < 8)
        words[lane] = lane;
    if (lane < 2)
        floats[lane] = 1;
    low = 0;
    GroupMemoryBarrierWithGroupSync();
    uint64_t v = In[id], old, sum = 0;
    InterlockedAdd(words[0], v, old); sum += old;
    InterlockedAnd(words[1], v, old); sum += old;
    InterlockedOr(words[2], v, old); sum += old;
    InterlockedXor(words[3], v, old); sum += old;
    InterlockedMax(words[4], v, old); sum += old;
    InterlockedExchange(words[5], v, old); sum += old;
    InterlockedCompareExchange(words[6], 6, v, old); sum += old;
    InterlockedCompareStore(words[7], 7, v);
    InterlockedMin(low, (int64_t)v);
    float f;
    InterlockedExchange(floats[0], (float)id, f); sum += (uint64_t)f;
    InterlockedCompareExchangeFloatBitwise(floats[1], 1.0, (float)id, f); sum += (uint64_t)f;
    InterlockedCompareStoreFloatBitwise(floats[1], 2.0, 3.0);
    GroupMemoryBarrierWithGroupSync();
    Out[id] = sum + words[lane & 7] + (uint64_t)low + (uint64_t)floats[lane & 1];
}
