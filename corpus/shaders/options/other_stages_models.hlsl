// trellis.ps60: ps_6_0 pixel
// trellis.ps64: ps_6_4 pixel
// trellis.ps67: ps_6_7 pixel
// trellis.vs60: vs_6_0 vertex
// trellis.vs64: vs_6_4 vertex
// trellis.vs67: vs_6_7 vertex
// A vertex and a pixel shader that belong together, in several shader models.

cbuffer Camera : register(b0) { float4x4 viewProj; };
Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);

struct Link { float4 position : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint id : ID; };

Link vertex(float3 p : POSITION, float2 uv : TEXCOORD0, uint id : SV_VertexID)
{
    Link o = { mul(viewProj, float4(p, 1)), uv, id };
    return o;
}

float4 pixel(Link i) : SV_Target
{
    return Tex.Sample(Smp, i.uv) * (i.id + 1);
}
