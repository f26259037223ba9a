// trellis: ps_6_7 main
// SampleCmpLevel: a comparison sample at any level.

Texture2D<float> Tex : register(t0);
Texture2DArray<float> Arr : register(t1);
TextureCube<float> Cube : register(t2);
SamplerComparisonState Smp : register(s0);

float4 main(float4 uv : TEXCOORD0) : SV_Target
{
    float4 c = Tex.SampleCmpLevel(Smp, uv.xy, uv.z, uv.w);
    c.y += Tex.SampleCmpLevel(Smp, uv.xy, uv.z, 2, int2(1, 2));
    c.z += Arr.SampleCmpLevel(Smp, uv.xyz, uv.w, 1);
    c.w += Cube.SampleCmpLevel(Smp, uv.xyz, uv.w, 3);
    return c;
}
