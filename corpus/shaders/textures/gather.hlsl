// trellis: ps_6_0 main
// Gathers of each component, with constant, dynamic and four offsets, and gathers that compare.

Texture2D<float4> Tex : register(t0);
Texture2DArray<float4> Arr : register(t1);
TextureCube<float4> Cube : register(t2);
Texture2D<float> Depth : register(t3);
Texture2D<uint4> Ids : register(t4);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);

float4 main(float4 uv : TEXCOORD0, nointerpolation int2 offset : OFFSET) : SV_Target
{
    float4 c = Tex.Gather(Smp, uv.xy);
    c += Tex.GatherGreen(Smp, uv.xy, int2(-1, 2));
    c += Tex.GatherBlue(Smp, uv.xy, offset);
    c += Tex.GatherAlpha(Smp, uv.xy, int2(0, 0), int2(1, 0), int2(0, 1), int2(1, 1));
    c += Arr.GatherRed(Smp, uv.xyz);
    c += Cube.GatherRed(Smp, uv.xyz);
    c += Depth.GatherCmp(Cmp, uv.xy, uv.z);
    c += Depth.GatherCmpRed(Cmp, uv.xy, uv.z, int2(3, -4));
    c += Ids.GatherRed(Smp, uv.xy);
    return c;
}
