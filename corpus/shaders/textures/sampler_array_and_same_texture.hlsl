// trellis: ps_6_0 main
// One texture with two samplers, and two textures with one sampler.

Texture2D<float4> A : register(t0);
Texture2D<float2> B : register(t1);
SamplerState P : register(s0);
SamplerState Q : register(s1);

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    return A.Sample(P, uv) + A.Sample(Q, uv) + B.Sample(P, uv).xyxy;
}
