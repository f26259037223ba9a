// trellis: ps_6_0 main
// The clamp operand of samples of array, cube and volume textures.

Texture2DArray<float4> Arr : register(t0);
Texture3D<float4> Volume : register(t1);
TextureCube<float4> Cube : register(t2);
Texture1D<float4> Line : register(t3);
SamplerState Smp : register(s0);

float4 main(float3 uv : TEXCOORD0, float clampLod : CLAMP) : SV_Target
{
    float4 c = Arr.Sample(Smp, uv, int2(1, 2), clampLod);
    c += Volume.SampleBias(Smp, uv, 0.5, int3(1, 1, 1), clampLod);
    c += Cube.Sample(Smp, uv, clampLod);
    c += Cube.SampleGrad(Smp, uv, uv.zxy, uv.yzx, clampLod);
    c += Line.SampleGrad(Smp, uv.x, uv.y, uv.z, 1, clampLod);
    return c;
}
