// trellis: cs_6_0 main
// AGS: 64-bit atomics on textures of two words, and clocks.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
RWTexture2D<uint2> T : register(u0);
RWStructuredBuffer<uint2> Out : register(u1);

uint Intrinsic(uint operation, uint immediate, uint phase, uint first, uint second)
{
    uint result;
    uint code = 5u << 28 | phase << 24 | immediate << 8 | operation;
    Intrinsics.InterlockedCompareExchange(code, first, second, result);
    return result;
}

uint2 OnTexture(uint operation, uint2 address, uint2 value)
{
    uint2 result;
    result.x = Intrinsic(0x18, operation, 0, address.x, address.y);
    result.y = Intrinsic(0x18, operation, 1, 0, value.x);
    T[uint2(result.x, result.x)] = result.y;
    result.y = Intrinsic(0x18, operation, 2, value.y, result.y);
    return result;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint2 v = uint2(id * 3, id);
    Out[id] = OnTexture(2, uint2(id & 7, id >> 3), v);
    uint2 clock = uint2(Intrinsic(0x1F, 0, 0, 0, 0), Intrinsic(0x1F, 0, 1, 0, 0));
    uint2 time = uint2(Intrinsic(0x20, 0, 0, 0, 0), Intrinsic(0x20, 0, 1, 0, 0));
    Out[id + 64] = clock.y > 0xFFFFFFF0 && time.y > 0xFFFFFFF0 ? clock + time : 0;
}
