// trellis: ps_6_1 main
// SV_ViewID in a pixel shader (shader model 6.1).

Texture2DArray<float4> Tex : register(t0);
SamplerState Smp : register(s0);

float4 main(float2 uv : TEXCOORD0, uint view : SV_ViewID) : SV_Target
{
    return Tex.Sample(Smp, float3(uv, view));
}
