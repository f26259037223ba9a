// trellis: cs_6_0 main
// AGS: 64-bit atomics on raw buffers.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
RWByteAddressBuffer B : register(u0);
RWStructuredBuffer<uint2> Out : register(u2);

uint Intrinsic(uint operation, uint immediate, uint phase, uint first, uint second)
{
    uint result;
    uint code = 5u << 28 | phase << 24 | immediate << 8 | operation;
    Intrinsics.InterlockedCompareExchange(code, first, second, result);
    return result;
}

uint2 OnBuffer(uint operation, uint address, uint2 value)
{
    uint2 result;
    result.x = Intrinsic(0x18, operation, 0, address, 0);
    result.y = Intrinsic(0x18, operation, 1, 0, value.x);
    B.Store(result.x, result.y);
    result.y = Intrinsic(0x18, operation, 2, value.y, result.y);
    return result;
}

uint2 Exchanged(uint address, uint2 compare, uint2 value)
{
    uint2 result;
    result.x = Intrinsic(0x18, 8, 0, address, 0);
    result.y = Intrinsic(0x18, 8, 1, 0, value.x);
    B.Store(result.x, result.y);
    result.y = Intrinsic(0x18, 8, 2, value.y, compare.x);
    result.y = Intrinsic(0x18, 8, 3, compare.y, result.y);
    return result;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint2 v = uint2(id * 3, id);
    uint2 old = OnBuffer(6, 0, uint2(id, 1));
    old = OnBuffer(2, 8 + 8 * (id & 7), v);
    Out[id] = OnBuffer(7, 128 + 8 * id, v) + Exchanged(640 + 8 * id, uint2(5, 0), v);
}
