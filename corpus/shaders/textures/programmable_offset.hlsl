// trellis: ps_6_7 main
// Offsets that only the shader knows, for sample, load and gather (shader model 6.7).

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);

float4 main(float2 uv : TEXCOORD0, nointerpolation int2 o : OFFSET) : SV_Target
{
    float4 c = Tex.Sample(Smp, uv, o);
    c += Tex.SampleLevel(Smp, uv, 1, o + 1);
    c += Tex.Load(int3(o, 0), o.yx);
    c += Tex.GatherRed(Smp, uv, o);
    return c;
}
