// trellis: cs_6_0 main
// Every atomic on structured, raw and typed buffers, with and without the old value.

RWStructuredBuffer<uint> S : register(u0);
RWByteAddressBuffer R : register(u1);
RWBuffer<int> T : register(u2);
RWStructuredBuffer<uint> Out : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint old, sum = 0;
    InterlockedAdd(S[0], id, old); sum += old;
    InterlockedAnd(S[1], id, old); sum += old;
    InterlockedOr(S[2], id, old); sum += old;
    InterlockedXor(S[3], id, old); sum += old;
    InterlockedMin(S[4], id, old); sum += old;
    InterlockedMax(S[5], id, old); sum += old;
    InterlockedExchange(S[6], id, old); sum += old;
    InterlockedCompareExchange(S[7], 3, id, old); sum += old;
    InterlockedCompareStore(S[8], 3, id);
    R.InterlockedAdd(0, id, old); sum += old;
    R.InterlockedAnd(4, id);
    R.InterlockedOr(8, id);
    R.InterlockedXor(12, id);
    R.InterlockedMin(16, id);
    R.InterlockedMax(20, id);
    R.InterlockedExchange(24, id, old); sum += old;
    R.InterlockedCompareExchange(28, 1, id, old); sum += old;
    int o;
    InterlockedAdd(T[0], (int)id, o); sum += o;
    InterlockedMin(T[1], -(int)id, o); sum += o;
    InterlockedMax(T[2], -(int)id, o); sum += o;
    InterlockedCompareExchange(T[3], 1, 2, o); sum += o;
    Out[id] = sum;
}
