// dxc -T ps_6_7 -E main. Not in the corpus, whose shaders all convert with the default options.
// Samples with computed offsets (an optional feature of shader model 6.7): Vulkan has them with VK_KHR_maintenance8.

Texture2D<float4> Tex : register(t0);
Texture3D<float4> Volume : register(t1);
Texture2D<float> Depth : register(t2);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);
cbuffer Params : register(b0) { int3 by; };

float4 main(float3 uv : TEXCOORD) : SV_Target
{
    float4 sum = Tex.Sample(Smp, uv.xy, by.xy);
    sum += Tex.SampleLevel(Smp, uv.xy, 1, int2(by.x, 2));
    sum += Volume.SampleGrad(Smp, uv, uv, uv.yzx, by);
    sum += Depth.SampleCmp(Cmp, uv.xy, 0.5, by.yz);
    sum += Tex.Load(int3(4, 5, 0), by.xy);
    return sum;
}
