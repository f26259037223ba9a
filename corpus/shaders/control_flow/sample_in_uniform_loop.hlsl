// trellis: ps_6_0 main
// An implicit-LOD sample in a uniform loop and in a uniform branch.

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
cbuffer Params : register(b0) { uint count; bool detail; };

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    float4 acc = 0;
    [loop]
    for (uint i = 0; i < count; i++)
        acc += Tex.Sample(Smp, uv * (i + 1));
    [branch]
    if (detail)
        acc *= Tex.Sample(Smp, uv * 16);
    return acc;
}
