// trellis: ps_6_5 main
// Sampler feedback: the mip levels and regions that a sample would touch, in its four forms (shader model 6.5).

FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> MinMip : register(u1);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIP_REGION_USED> Regions : register(u2);
Texture2D<float4> Tex : register(t0);
Texture2DArray<float4> Arr : register(t1);
SamplerState Smp : register(s0);

float4 main(float3 uv : TEXCOORD0) : SV_Target
{
    MinMip.WriteSamplerFeedback(Tex, Smp, uv.xy);
    MinMip.WriteSamplerFeedbackBias(Tex, Smp, uv.xy, 1);
    Regions.WriteSamplerFeedbackLevel(Arr, Smp, uv, 2);
    Regions.WriteSamplerFeedbackGrad(Arr, Smp, uv, uv.xy, uv.yz);
    return Tex.Sample(Smp, uv.xy);
}
