// trellis: ps_6_0 main
// Two-dimensional arrays of textures and samplers.

Texture2D<float4> Tex[2][3] : register(t2);
SamplerState Smp[2][2] : register(s0);
cbuffer Params : register(b0) { uint x, y; };

float4 main(float2 uv : TEXCOORD0, nointerpolation uint n : INDEX) : SV_Target
{
    float4 c = Tex[1][2].Sample(Smp[0][1], uv);
    c += Tex[x][y].Sample(Smp[1][x], uv);
    return c + Tex[x][NonUniformResourceIndex(n)].Sample(Smp[0][0], uv);
}
