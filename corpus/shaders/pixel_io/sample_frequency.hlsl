// trellis: ps_6_0 main
// SV_SampleIndex: the shader runs once a sample.

Texture2DMS<float4> Tex : register(t0);

float4 main(float4 pos : SV_Position, uint s : SV_SampleIndex) : SV_Target
{
    return Tex.Load((int2)pos.xy, s);
}
