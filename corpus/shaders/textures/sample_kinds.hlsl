// trellis: ps_6_0 main
// Sampling of 1D, 1D array, 2D array, 3D, cube and cube array textures, implicit and with a level.

Texture1D<float4> T1 : register(t0);
Texture1DArray<float4> T1A : register(t1);
Texture2DArray<float4> T2A : register(t2);
Texture3D<float4> T3 : register(t3);
TextureCube<float4> TC : register(t4);
TextureCubeArray<float4> TCA : register(t5);
SamplerState Smp : register(s0);

float4 main(float4 uv : TEXCOORD0) : SV_Target
{
    float4 c = T1.Sample(Smp, uv.x, 2);
    c += T1A.Sample(Smp, uv.xy, -3);
    c += T2A.Sample(Smp, uv.xyz, int2(1, 1));
    c += T3.Sample(Smp, uv.xyz, int3(1, 2, 3));
    c += TC.Sample(Smp, uv.xyz);
    c += TCA.Sample(Smp, uv);
    c += T1.SampleLevel(Smp, uv.x, uv.w);
    c += T2A.SampleLevel(Smp, uv.xyz, uv.w);
    c += T3.SampleLevel(Smp, uv.xyz, uv.w);
    c += TC.SampleLevel(Smp, uv.xyz, uv.w);
    c += TCA.SampleLevel(Smp, uv, uv.w);
    c += T3.SampleGrad(Smp, uv.xyz, uv.yzx, uv.zxy);
    c += TC.SampleGrad(Smp, uv.xyz, uv.yzx, uv.zxy);
    c += TCA.SampleBias(Smp, uv, uv.x);
    return c;
}
