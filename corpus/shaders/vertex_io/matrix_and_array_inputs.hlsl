// trellis: vs_6_0 main
// A matrix an instance, and an array, as inputs; an array output by dynamic index.

struct Output { float4 position : SV_Position; float2 uv[3] : TEXCOORD; };
cbuffer Params : register(b0) { uint which; };

Output main(float4 p : POSITION, float4x4 world : WORLD, float2 uv[3] : TEXCOORD)
{
    Output o;
    o.position = mul(world, p);
    o.uv[0] = uv[which % 3];
    o.uv[1] = uv[1];
    o.uv[2] = uv[2];
    [loop]
    for (uint i = 0; i < which; i++)
        o.uv[i % 3] += 1.0;
    return o;
}
