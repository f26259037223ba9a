// trellis.vs: vs_6_0 vertex
// trellis.ps: ps_6_0 pixel
// The objects, lit by the sun with shadows and by the sky: bindless materials, a comparison sampler.

#include "scene.hlsli"

Texture2D<float4> Materials[] : register(t0, space1);
Texture2D<float> ShadowMap : register(t2);
SamplerState Smooth : register(s0);
SamplerComparisonState Compare : register(s1);

struct Varyings
{
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD;
    float3 tint : TINT;
    nointerpolation uint material : MATERIAL;
};

[RootSignature(SCENE_SIGNATURE)]
Varyings vertex(uint index : SV_VertexID, uint number : SV_InstanceID)
{
    Vertex v = Vertices[index];
    Instance instance = Instances[first_instance + number];
    Varyings o;
    o.world = to_world(instance, v.position);
    o.position = mul(world_to_clip, float4(o.world, 1));
    o.normal = rotate(instance.rotation, v.normal);
    o.uv = v.uv;
    o.tint = instance.tint;
    o.material = instance.material;
    return o;
}

// Returns how much of the sun a point sees: a filter over 4 times 4 comparisons.
float sunlight(float3 world, float3 normal)
{
    float4 at = mul(world_to_light, float4(world + 0.03 * normal, 1));
    float2 uv = at.xy * float2(0.5, -0.5) + 0.5;
    float size, height;
    ShadowMap.GetDimensions(size, height);
    float sum = 0;
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            sum += ShadowMap.SampleCmpLevelZero(Compare, uv + (float2(x, y) - 1.5) / size, at.z);
    return lerp(1, sum / 16, shadow_strength);
}

// Specular reflection of a light (GGX, Smith, Schlick), times the cosine.
float3 specular(float3 n, float3 v, float3 l, float roughness, float3 f0)
{
    float3 h = normalize(v + l);
    float nl = saturate(dot(n, l)), nv = saturate(dot(n, v)) + 1e-4, nh = saturate(dot(n, h));
    float a = roughness * roughness, a2 = a * a;
    float d = a2 / (3.14159 * pow(nh * nh * (a2 - 1) + 1, 2));
    float k = a / 2;
    float g = 1 / (4 * (nl * (1 - k) + k) * (nv * (1 - k) + k));
    float3 f = f0 + (1 - f0) * pow(1 - saturate(dot(v, h)), 5);
    return d * g * f * nl;
}

[RootSignature(SCENE_SIGNATURE)]
float4 pixel(Varyings i) : SV_Target
{
    // Color, and roughness; the materials below 2 are not metals.
    float4 texel = Materials[NonUniformResourceIndex(i.material)].Sample(Smooth, i.uv);
    float3 color = texel.rgb * i.tint;
    float roughness = clamp(texel.a, 0.08, 1);
    float metal = i.material >= 2 ? 1 : 0;

    float3 n = normalize(i.normal);
    float3 v = normalize(eye - i.world);
    float3 f0 = lerp(0.04, color, metal);
    float3 diffuse = color * (1 - metal);

    float3 sun = float3(5.2, 3.7, 2.4) * sunlight(i.world, n);
    float3 lit = sun * (diffuse / 3.14159 * saturate(dot(n, to_sun)) + specular(n, v, to_sun, roughness, f0));

    // The sky: from all around, and reflected.
    float3 around = lerp(float3(0.10, 0.08, 0.07), float3(0.17, 0.21, 0.31), n.y * 0.5 + 0.5);
    float3 reflected = sky(normalize(lerp(reflect(-v, n), n, roughness * roughness)));
    float3 fresnel = f0 + (max(1 - roughness, f0) - f0) * pow(1 - saturate(dot(n, v)), 5);
    lit += around * diffuse + reflected * fresnel * lerp(1, 0.45, roughness);

    // Far away everything has the color of the horizon.
    float distance = length(eye - i.world);
    lit = lerp(sky(normalize(float3(-v.x, 0.02, -v.z))), lit, exp(-pow(distance / 38, 2)));
    return float4(tone_map(lit), 1);
}
