// trellis: cs_6_5 main
// Marks the regions that samples at a level of detail read, one sample for each thread.

FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> Map : register(u0);
Texture2D<float4> Texture : register(t0);
StructuredBuffer<float4> Samples : register(t1);
SamplerState Sampler : register(s0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4 at = Samples[id];
    if (at.w == 0)
        Map.WriteSamplerFeedbackLevel(Texture, Sampler, at.xy, at.z);
    else
        Map.WriteSamplerFeedbackGrad(Texture, Sampler, at.xy, float2(at.w, 0), float2(0, at.z));
}
