// trellis: cs_6_0 main
// Places the instances for a point in time: the floor, a knot, a ring of spheres, a ring of tori.

#include "types.hlsli"

cbuffer Constants : register(b0)
{
    float time;
    uint ring; // number of spheres, and of tori
};

RWStructuredBuffer<Instance> Instances : register(u0);

float4 about(float3 axis, float angle)
{
    float s, c;
    sincos(angle / 2, s, c);
    return float4(axis * s, c);
}

// A color of a palette (Quilez' cosines).
float3 palette(float t)
{
    float3 wave = 0.5 + 0.5 * cos(6.28318 * (t + float3(0.02, 0.33, 0.62)));
    return 0.06 + 0.94 * wave * wave;
}

[RootSignature("RootConstants(num32BitConstants=2, b0), UAV(u0)")]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    if (id >= 2 + 2 * ring)
        return;
    Instance o;
    o.tint = 1;
    o.scale = 1;
    o.rotation = float4(0, 0, 0, 1);
    if (id == 0)
    {
        o.position = 0;
        o.material = 0;
    }
    else if (id == 1)
    {
        o.position = float3(0, 1.72, 0);
        o.scale = 0.62;
        o.rotation = about(float3(0, 1, 0), 0.5 * time);
        o.material = 2;
    }
    else
    {
        bool is_torus = id >= 2 + ring;
        float number = (id - 2) % ring;
        float turn = (number + (is_torus ? 0.5 : 0)) / ring;
        float angle = 6.28318 * turn + (is_torus ? -0.25 : 0.18) * time;
        float radius = is_torus ? 4.7 : 3.1;
        float hop = abs(sin(1.7 * time + 2.4 * number));
        float3 place = float3(radius * cos(angle), 0, radius * sin(angle));
        if (is_torus)
        {
            o.scale = 0.5;
            place.y = 0.70;
            // Upright, rolling along its circle.
            o.rotation = about(normalize(float3(place.x, 0, place.z)), 3 * time + number);
            float4 side = about(float3(0, 1, 0), 1.5708 - angle);
            float4 a = o.rotation, b = side;
            o.rotation = float4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
            o.material = 3;
        }
        else
        {
            o.scale = 0.42;
            place.y = o.scale + 0.55 * hop;
            o.rotation = about(float3(0.6, 0.8, 0), time + number);
            o.material = 1;
        }
        o.position = place;
        o.tint = palette(turn);
    }
    Instances[id] = o;
}
