// trellis: ps_6_7 main
// Sampling of integer textures, as shader model 6.7 allows.

Texture2D<uint4> U : register(t0);
Texture2D<int2> I : register(t1);
SamplerState Smp : register(s0);

uint4 main(float2 uv : TEXCOORD0) : SV_Target
{
    uint4 c = U.Sample(Smp, uv);
    c += U.SampleLevel(Smp, uv, 1);
    c.xy += I.SampleBias(Smp, uv, 0.5);
    c.zw += I.SampleGrad(Smp, uv, uv, uv.yx);
    return c;
}
