// trellis: ps_6_0 main
// Unbounded arrays of textures, samplers, buffers and constant buffers in their own spaces.

struct Material { float4 tint; uint texture; uint sampler_; };
Texture2D<float4> Textures[] : register(t0, space1);
SamplerState Samplers[] : register(s0, space2);
StructuredBuffer<Material> Materials[] : register(t0, space3);
ByteAddressBuffer Raw[] : register(t0, space4);
ConstantBuffer<Material> Constants[] : register(b0, space5);

float4 main(float2 uv : TEXCOORD0, nointerpolation uint m : MATERIAL) : SV_Target
{
    Material mat = Materials[NonUniformResourceIndex(m >> 8)][m & 255];
    float4 c = Textures[NonUniformResourceIndex(mat.texture)].Sample(Samplers[NonUniformResourceIndex(mat.sampler_)], uv);
    c += Constants[NonUniformResourceIndex(m)].tint;
    return c * mat.tint + Raw[m & 3].Load(m * 4);
}
