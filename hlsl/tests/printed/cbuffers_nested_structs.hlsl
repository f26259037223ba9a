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
// ---- printed ----
// dxc -T ps_6_0 -E main
struct Inner {
    float2 a;
    float b;
};
struct Outer {
    Inner one;
    Inner many[2];
    float tail;
};
cbuffer Nested : register(b0) {
    Outer outer;
    float after;
};
cbuffer Offsets : register(b1) {
    float2 x : packoffset(c2.z);
    float4 y : packoffset(c0);
    int z : packoffset(c1.y);
};
struct Input {
    nointerpolation uint index0 : INDEX0;
};
struct Output {
    float4 target0 : SV_Target0;
};

void main(Input input, out Output output)
{
    float t0 = after + outer.one.b + y.x * x.x;
    float t1 = after + outer.many[(input.index0 & 1)].a.x + y.y * x.y;
    float t2 = after + outer.many[(input.index0 & 1)].a.y + y.z * x.x;
    float t3 = after + outer.tail + y.w * x.y;
    float t4 = (float)z;
    output.target0.x = t0 + t4;
    output.target0.y = t1 + t4;
    output.target0.z = t2 + t4;
    output.target0.w = t3 + t4;
}
