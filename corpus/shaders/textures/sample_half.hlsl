// trellis: ps_6_2 main -enable-16bit-types
// trellis.min: ps_6_0 main -Dhalf4=min16float4 -Duint16_t2=min16uint2
// Textures of half floats and 16-bit integers: sampled, loaded, gathered.

Texture2D<half4> Tex : register(t0);
Texture2D<uint16_t2> Ids : register(t1);
SamplerState Smp : register(s0);

half4 main(float2 uv : TEXCOORD0) : SV_Target
{
    half4 c = Tex.Sample(Smp, uv) * Tex.SampleLevel(Smp, uv, 2);
    c += Tex.SampleBias(Smp, uv, 0.5) + Tex.SampleGrad(Smp, uv, uv, uv.yx);
    c += Tex.Load(int3(1, 2, 0));
    c += Tex.GatherRed(Smp, uv);
    c.xy += Ids.Load(int3(uv, 0));
    return c;
}
