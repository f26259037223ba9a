// trellis: lib_6_5 library
// Two kinds of rays with payloads of their own, hit groups by stride and offset, and rays without a closest-hit shader.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Color
{
    float3 value;
    float lit;
};

struct Shadow
{
    bool dark;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Color color = { float3(0, 0, 0), 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 2, 0, ray, color);
    Out[at] = float4(color.value, color.lit);
}

[shader("miss")]
void Sky(inout Color color)
{
    color.value = float3(0.25, 0.5, 1);
}

[shader("miss")]
void Light(inout Shadow shadow)
{
    shadow.dark = false;
}

[shader("closesthit")]
void Surface(inout Color color, BuiltInTriangleIntersectionAttributes attributes)
{
    RayDesc ray;
    ray.Origin = WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0.125;
    ray.TMax = 10;
    Shadow shadow = { true };
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xFF, 1, 2, 1, ray, shadow);
    color.value = float3(InstanceID(), GeometryIndex(), 1);
    color.lit = shadow.dark ? 0.125 : 1;
}

[shader("anyhit")]
void Glass(inout Shadow shadow, BuiltInTriangleIntersectionAttributes attributes)
{
    if (InstanceID() == 2)
        IgnoreHit();
}
