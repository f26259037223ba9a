// trellis: vs_6_0 main
// A usual vertex shader: position by a matrix, normal, texture coordinate and color handed on.

cbuffer Camera : register(b0) { float4x4 viewProj; float4x4 world; };

struct Input
{
    float3 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
    float4 color : COLOR0;
};
struct Output
{
    float4 position : SV_Position;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
    float4 color : COLOR0;
};

Output main(Input v)
{
    Output o;
    float4 p = mul(world, float4(v.position, 1));
    o.position = mul(viewProj, p);
    o.normal = normalize(mul((float3x3)world, v.normal));
    o.uv = v.uv;
    o.color = v.color * 0.5;
    return o;
}
