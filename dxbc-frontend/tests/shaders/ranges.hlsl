// Ranges of resources, spaces, and indices that are not uniform.
// fxc: ps_5_1 main -unbounded
struct Material { float4 tint; uint texture_index; };
Texture2D<float4> textures[] : register(t3, space2);
SamplerState samplers[4] : register(s1);
ConstantBuffer<Material> materials[3] : register(b1, space1);
RasterizerOrderedTexture2D<float4> target : register(u1);

float4 main(float2 uv : TEXCOORD, nointerpolation uint i : MATERIAL) : SV_Target {
    float4 c = textures[NonUniformResourceIndex(i)].Sample(samplers[materials[i].texture_index], uv);
    target[uint2(uv)] = c;
    return c * materials[2].tint;
}
