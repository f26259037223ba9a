// trellis: ps_6_0 main
// Structs in structs in a constant buffer, with packoffset in another.

struct Inner { float2 a; float b; };
struct Outer { Inner one; Inner many[2]; float tail; };
cbuffer Nested : register(b0) { Outer outer; float after; };
cbuffer Offsets : register(b1)
{
    float2 x : packoffset(c2.z);
    float4 y : packoffset(c0);
    int z : packoffset(c1.y);
};

float4 main(nointerpolation uint i : INDEX) : SV_Target
{
    return float4(outer.one.b, outer.many[i & 1].a, outer.tail) + after + x.xyxy * y + z;
}
