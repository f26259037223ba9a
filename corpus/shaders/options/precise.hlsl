// trellis: vs_6_0 main
// precise values, and a position that must not vary between shaders.

cbuffer Camera : register(b0) { float4x4 viewProj; };

precise float4 main(float4 p : POSITION, float4 offset : OFFSET) : SV_Position
{
    precise float4 q = p * 3.0 + offset;
    float4 r = p * 5.0 + offset;
    return mul(viewProj, q) + r;
}
