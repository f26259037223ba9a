// trellis: ps_6_7 main -enable-16bit-types
// SampleCmpLevel of a half texture.

Texture2D<half> Tex : register(t0);
SamplerComparisonState Smp : register(s0);

half main(float4 uv : TEXCOORD0) : SV_Target
{
    return Tex.SampleCmpLevel(Smp, uv.xy, uv.z, uv.w);
}
