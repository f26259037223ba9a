// trellis: cs_6_6 main
// 64-bit atomics on structured and raw buffers (shader model 6.6).

RWStructuredBuffer<uint64_t> S : register(u0);
RWStructuredBuffer<int64_t> I : register(u1);
RWByteAddressBuffer R : register(u2);
RWStructuredBuffer<uint64_t> Out : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint64_t v = (uint64_t)id << 32 | id, old, sum = 0;
    int64_t o;
    InterlockedAdd(S[0], v, old); sum += old;
    InterlockedAnd(S[1], v, old); sum += old;
    InterlockedOr(S[2], v, old); sum += old;
    InterlockedXor(S[3], v, old); sum += old;
    InterlockedMin(S[4], v, old); sum += old;
    InterlockedMax(I[5], (int64_t)v, o); sum += o;
    InterlockedMin(I[6], -(int64_t)v, o); sum += o;
    InterlockedExchange(S[7], v, old); sum += old;
    InterlockedCompareExchange(S[8], 5, v, old); sum += old;
    R.InterlockedAdd64(0, v, old); sum += old;
    R.InterlockedMax64(8, v);
    R.InterlockedExchange64(16, v, old); sum += old;
    R.InterlockedCompareExchange64(24, 1, v, old); sum += old;
    R.InterlockedCompareStore64(32, 1, v);
    Out[id] = sum;
}
