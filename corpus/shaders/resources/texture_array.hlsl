// trellis: ps_6_0 main
// An array of textures with a uniform and a non-uniform dynamic index.

Texture2D<float4> Tex[8] : register(t4);
SamplerState Smp[2] : register(s1);
cbuffer Params : register(b0) { uint which; };

float4 main(float2 uv : TEXCOORD0, nointerpolation uint mine : INDEX) : SV_Target
{
    float4 c = Tex[3].Sample(Smp[0], uv);
    c += Tex[which].Sample(Smp[1], uv);
    c += Tex[NonUniformResourceIndex(mine)].Sample(Smp[NonUniformResourceIndex(mine & 1)], uv);
    return c;
}
