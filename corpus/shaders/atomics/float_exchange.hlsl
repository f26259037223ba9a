// trellis: cs_6_6 main
// Float exchanges and bitwise float compare-exchanges on buffers and textures.

RWStructuredBuffer<float> S : register(u0);
RWByteAddressBuffer R : register(u1);
RWTexture2D<float> T : register(u2);
RWStructuredBuffer<float> Out : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float old, sum = 0;
    uint at = id * 3;
    InterlockedExchange(S[at], (float)id, old); sum += old;
    InterlockedCompareExchangeFloatBitwise(S[at + 1], 1.0, (float)id, old); sum += old;
    InterlockedCompareStoreFloatBitwise(S[at + 2], 2.0, (float)id);
    R.InterlockedExchangeFloat(at * 4, (float)id, old); sum += old;
    R.InterlockedCompareExchangeFloatBitwise(at * 4 + 4, 1.0, (float)id, old); sum += old;
    R.InterlockedCompareStoreFloatBitwise(at * 4 + 8, 1.0, (float)id);
    InterlockedExchange(T[uint2(id & 7, id >> 3)], (float)id, old); sum += old;
    Out[id] = sum;
}
