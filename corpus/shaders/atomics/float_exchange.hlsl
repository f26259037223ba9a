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
    InterlockedExchange(S[0], (float)id, old); sum += old;
    InterlockedCompareExchangeFloatBitwise(S[1], 1.0, (float)id, old); sum += old;
    InterlockedCompareStoreFloatBitwise(S[2], 2.0, (float)id);
    R.InterlockedExchangeFloat(0, (float)id, old); sum += old;
    R.InterlockedCompareExchangeFloatBitwise(4, 1.0, (float)id, old); sum += old;
    R.InterlockedCompareStoreFloatBitwise(8, 1.0, (float)id);
    InterlockedExchange(T[uint2(id, 0)], (float)id, old); sum += old;
    Out[id] = sum;
}
