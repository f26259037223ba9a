// trellis: cs_6_0 main
// AGS: an operation on matrices of a wave, which has no translation.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint result;
    Intrinsics.InterlockedCompareExchange(5u << 28 | 0x31, 0, 0, result);
    Out[id] = result;
}
