// trellis.vs: vs_6_0 vertex
// trellis.ps: ps_6_0 pixel
// The sky, on one triangle that covers the picture.

#include "scene.hlsli"

struct Varyings
{
    float4 position : SV_Position;
    float3 direction : DIRECTION;
};

[RootSignature(SCENE_SIGNATURE)]
Varyings vertex(uint index : SV_VertexID)
{
    float2 corner = float2(index & 1, index >> 1) * 4 - 1;
    Varyings o;
    o.position = float4(corner, 1, 1);
    float2 slope = corner * tan_half_fov * float2(aspect, 1);
    o.direction = view_forward + slope.x * view_right + slope.y * view_up;
    return o;
}

[RootSignature(SCENE_SIGNATURE)]
float4 pixel(Varyings i) : SV_Target
{
    float3 direction = normalize(i.direction);
    float disc = smoothstep(0.9992, 0.9996, dot(direction, to_sun));
    return float4(tone_map(sky(direction) + disc * float3(12, 8, 5)), 1);
}
