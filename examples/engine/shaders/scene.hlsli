// What the shaders of the scene share: the root signature, the resources, the sky.

#include "types.hlsli"

// One root signature for everything that is drawn. Parameters, by number:
//   0  root constants   what changes with each draw
//   1  root CBV         what changes with each frame
//   2  root SRV         vertices
//   3  root SRV         instances
//   4  table            the materials, without end: the shader indexes it
//   5  table            the shadow map
#define SCENE_SIGNATURE \
    "RootConstants(num32BitConstants=3, b0)," \
    "CBV(b1)," \
    "SRV(t0, visibility=SHADER_VISIBILITY_VERTEX)," \
    "SRV(t1, visibility=SHADER_VISIBILITY_VERTEX)," \
    "DescriptorTable(SRV(t0, space=1, numDescriptors=unbounded), visibility=SHADER_VISIBILITY_PIXEL)," \
    "DescriptorTable(SRV(t2), visibility=SHADER_VISIBILITY_PIXEL)," \
    "StaticSampler(s0, filter=FILTER_ANISOTROPIC, maxAnisotropy=8)," \
    "StaticSampler(s1, filter=FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT," \
    "              addressU=TEXTURE_ADDRESS_BORDER, addressV=TEXTURE_ADDRESS_BORDER," \
    "              borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE, comparisonFunc=COMPARISON_LESS_EQUAL)"

cbuffer Draw : register(b0)
{
    uint first_instance;
    float exposure;
    float shadow_strength;
};

cbuffer Frame : register(b1)
{
    float4x4 world_to_clip;
    float4x4 world_to_light; // clip space of the shadow map
    float3 eye;
    float aspect;
    float3 to_sun;
    float tan_half_fov;
    float3 view_right;
    float3 view_up;
    float3 view_forward;
};

StructuredBuffer<Vertex> Vertices : register(t0);
StructuredBuffer<Instance> Instances : register(t1);

float3 to_world(Instance instance, float3 position)
{
    return instance.position + rotate(instance.rotation, position * instance.scale);
}

// Radiance of the sky in a direction: a sunset, without the disc of the sun.
float3 sky(float3 direction)
{
    float up = saturate(direction.y);
    float3 zenith = float3(0.035, 0.10, 0.30);
    float3 middle = float3(0.20, 0.30, 0.52);
    float3 horizon = float3(0.88, 0.46, 0.26);
    float3 color = lerp(horizon, middle, smoothstep(0.0, 0.13, up));
    color = lerp(color, zenith, smoothstep(0.07, 0.5, up));
    float towards_sun = saturate(dot(direction, to_sun));
    color += float3(1.0, 0.55, 0.22) * (0.45 * pow(towards_sun, 5) + 1.2 * pow(towards_sun, 60));
    // Below the horizon: what a floor far away reflects.
    float3 ground = float3(0.09, 0.075, 0.08);
    return lerp(color, ground, smoothstep(0.0, -0.25, direction.y));
}

// From radiance to what a screen shows (Narkowicz' fit of the ACES curve).
float3 tone_map(float3 color)
{
    color *= exposure;
    return saturate(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14));
}
