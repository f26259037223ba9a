// trellis: ps_6_0 main
// Comparison sampling, implicit and level zero, of 2D, 2D array, cube and cube array.

Texture2D<float> Tex : register(t0);
Texture2DArray<float> Arr : register(t1);
TextureCube<float> Cube : register(t2);
TextureCubeArray<float> CubeArr : register(t3);
Texture1D<float> Line : register(t4);
SamplerComparisonState Smp : register(s0);

float4 main(float4 uv : TEXCOORD0, float ref : REF) : SV_Target
{
    float4 c = 0;
    c.x += Tex.SampleCmp(Smp, uv.xy, ref);
    c.y += Tex.SampleCmpLevelZero(Smp, uv.xy, ref, int2(1, 2));
    c.z += Arr.SampleCmp(Smp, uv.xyz, ref);
    c.w += Arr.SampleCmpLevelZero(Smp, uv.xyz, ref);
    c.x += Cube.SampleCmp(Smp, uv.xyz, ref);
    c.y += Cube.SampleCmpLevelZero(Smp, uv.xyz, ref);
    c.z += CubeArr.SampleCmp(Smp, uv, ref);
    c.w += CubeArr.SampleCmpLevelZero(Smp, uv, ref);
    c.x += Line.SampleCmpLevelZero(Smp, uv.x, ref);
    return c;
}
