// trellis: cs_6_6 main
// A group of three threads, which has no quads: samples are of the first level.

RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float> In : register(t0);
Texture2D<float4> Texture : register(t1);
SamplerState Sampler : register(s0);

[numthreads(3, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float v = In[id];
    float2 at = float2(v, 1 - v);
    float4 sampled = Texture.Sample(Sampler, at) + Texture.SampleBias(Sampler, at, 2);
    Out[id] = sampled;
    Out[id + 3] = Texture.CalculateLevelOfDetail(Sampler, at);
}
