// trellis.vs: vs_6_0 Vertex
// trellis.ps: ps_6_0 Pixel
// AGS: the number of a draw, its first vertex and instance, barycentric coordinates, words at addresses.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
cbuffer Address : register(b0) { uint2 address; };

uint Intrinsic(uint operation, uint immediate, uint phase, uint first, uint second)
{
    uint result;
    uint code = 5u << 28 | phase << 24 | immediate << 8 | operation;
    Intrinsics.InterlockedCompareExchange(code, first, second, result);
    return result;
}

uint Word(uint offset)
{
    Intrinsic(0x14, 0, 0, address.x, address.y);
    return Intrinsic(0x14, 0, 1, offset, 0);
}

struct Vertices {
    float4 position : SV_Position;
    nointerpolation uint4 numbers : NUMBERS;
};

Vertices Vertex(uint id : SV_VertexID)
{
    Vertices v;
    v.position = float4(id & 1, id >> 1, 0, 1);
    v.numbers = uint4(Intrinsic(0x17, 0, 0, 0, 0), Intrinsic(0x1A, 0, 0, 0, 0),
                      Intrinsic(0x1B, 0, 0, 0, 0), Word(8));
    return v;
}

float4 Pixel(Vertices v) : SV_Target
{
    float2 at = float2(asfloat(Intrinsic(0x0D, 4, 0, 0, 0)), asfloat(Intrinsic(0x0D, 4, 1, 0, 0)));
    float2 linear_at = float2(asfloat(Intrinsic(0x0D, 1, 0, 0, 0)), asfloat(Intrinsic(0x0D, 1, 1, 0, 0)));
    return float4(at, linear_at) + v.numbers.w + Word(4);
}
