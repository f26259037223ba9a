// trellis: ps_6_2 main -enable-16bit-types
// Comparison sampling and gathering of half textures.

Texture2D<half> Tex : register(t0);
Texture2DArray<half> Arr : register(t1);
SamplerComparisonState Smp : register(s0);

half4 main(float3 uv : TEXCOORD0, float r : REF) : SV_Target
{
    half4 c = Tex.GatherCmp(Smp, uv.xy, r);
    c.x += Tex.SampleCmp(Smp, uv.xy, r);
    c.y += Tex.SampleCmpLevelZero(Smp, uv.xy, r);
    c.z += Arr.SampleCmp(Smp, uv, r);
    return c;
}
