// trellis: ps_6_5 main
// All operations that write to feedback maps, of both kinds and shapes.

FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Map : register(u0);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIP_REGION_USED> Layers : register(u1);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> Maps[4] : register(u2);
Texture2D<float4> Texture : register(t0);
Texture2DArray<float4> Textures : register(t1);
SamplerState Sampler : register(s0);

float4 main(float4 at : AT, float2 x : GRADX, float2 y : GRADY, nointerpolation uint i : INDEX) : SV_Target
{
    Map.WriteSamplerFeedback(Texture, Sampler, at.xy);
    Map.WriteSamplerFeedback(Texture, Sampler, at.xy, at.w);
    Map.WriteSamplerFeedbackBias(Texture, Sampler, at.xy, at.z);
    Map.WriteSamplerFeedbackLevel(Texture, Sampler, at.xy, at.z);
    Map.WriteSamplerFeedbackGrad(Texture, Sampler, at.xy, x, y, at.w);
    Layers.WriteSamplerFeedback(Textures, Sampler, at.xyz);
    Layers.WriteSamplerFeedbackBias(Textures, Sampler, at.xyz, at.w, at.x);
    Layers.WriteSamplerFeedbackLevel(Textures, Sampler, at.xyz, at.w);
    Layers.WriteSamplerFeedbackGrad(Textures, Sampler, at.xyz, x, y);
    Maps[NonUniformResourceIndex(i)].WriteSamplerFeedback(Texture, Sampler, at.xy);
    return Texture.Sample(Sampler, at.xy);
}
