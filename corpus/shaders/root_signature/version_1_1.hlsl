// trellis: ps_6_0 main
// A root signature in the shader, version 1.1: tables with flags, root descriptors, constants, a static sampler.

#define Signature "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | DENY_VERTEX_SHADER_ROOT_ACCESS), " \
    "RootConstants(num32BitConstants=4, b0), " \
    "CBV(b1, space=2, flags=DATA_STATIC), " \
    "SRV(t0, visibility=SHADER_VISIBILITY_PIXEL), " \
    "DescriptorTable(SRV(t1, numDescriptors=8, flags=DESCRIPTORS_VOLATILE), UAV(u1, numDescriptors=unbounded, space=3), visibility=SHADER_VISIBILITY_PIXEL), " \
    "DescriptorTable(Sampler(s1, numDescriptors=2)), " \
    "StaticSampler(s0, filter=FILTER_ANISOTROPIC, maxAnisotropy=4, addressU=TEXTURE_ADDRESS_CLAMP, borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE)"

cbuffer Constants : register(b0) { uint4 constants; };
cbuffer Params : register(b1, space2) { float4 tint; };
StructuredBuffer<float4> Items : register(t0);
Texture2D<float4> Tex[8] : register(t1);
SamplerState Static : register(s0);
SamplerState Smp : register(s2);

[RootSignature(Signature)]
float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    return Tex[constants.x & 7].Sample(Static, uv) * tint + Tex[1].Sample(Smp, uv) + Items[constants.y];
}
