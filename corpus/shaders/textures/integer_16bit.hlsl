// trellis: ps_6_7 main -enable-16bit-types
// Sampling and gathering of 16-bit integer textures (shader model 6.7).

Texture2D<uint16_t4> U : register(t0);
Texture2D<int16_t2> I : register(t1);
SamplerState Smp : register(s0);

uint4 main(float2 uv : TEXCOORD0) : SV_Target
{
    uint4 c = U.Sample(Smp, uv) + U.SampleLevel(Smp, uv, 1) + U.GatherRed(Smp, uv);
    c.xy += I.SampleBias(Smp, uv, 0.5) + I.SampleGrad(Smp, uv, uv, uv.yx);
    return c;
}
