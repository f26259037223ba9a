// trellis: ps_6_0 main
// Gathers with computed offsets, which Vulkan has without any extension.

Texture2D<float4> Tex : register(t0);
Texture2DArray<float> Depth : register(t1);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);
cbuffer Params : register(b0) { int2 by, more; };

float4 main(float3 uv : TEXCOORD) : SV_Target
{
    float4 sum = Tex.GatherRed(Smp, uv.xy, by);
    sum += Tex.GatherGreen(Smp, uv.xy, int2(by.x, 3));
    sum += Tex.GatherBlue(Smp, uv.xy, by, more, by.yx, more.yx);
    sum += Depth.GatherCmp(Cmp, uv, 0.5, more);
    return sum;
}
