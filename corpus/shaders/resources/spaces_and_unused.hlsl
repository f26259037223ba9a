// trellis: ps_6_0 main
// Registers in several spaces, explicit and automatic, beside resources that nobody uses.

Texture2D<float4> A : register(t3, space7);
Texture2D<float4> Automatic;
Texture2D<float4> Unused : register(t9);
SamplerState Smp : register(s2, space1);
cbuffer Far : register(b13, space100) { float4 v; };
cbuffer UnusedBuffer : register(b1) { float4 w; };

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    return A.Sample(Smp, uv) + Automatic.Sample(Smp, uv) * v;
}
