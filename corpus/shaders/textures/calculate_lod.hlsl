// trellis: ps_6_0 main
// The level of detail that a sample would use, clamped and not.

Texture1D<float4> T1 : register(t0);
Texture2D<float4> T2 : register(t1);
Texture3D<float4> T3 : register(t2);
TextureCubeArray<float4> TCA : register(t3);
SamplerState Smp : register(s0);

float4 main(float3 uv : TEXCOORD0) : SV_Target
{
    return float4(T1.CalculateLevelOfDetail(Smp, uv.x), T2.CalculateLevelOfDetailUnclamped(Smp, uv.xy),
                  T3.CalculateLevelOfDetail(Smp, uv), TCA.CalculateLevelOfDetailUnclamped(Smp, uv));
}
