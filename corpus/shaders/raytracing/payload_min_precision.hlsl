// trellis: lib_6_3 library
// Minimum-precision members of a payload take 32 bits.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    min16float3 color;
    min16int steps;
    float t;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Payload payload = (Payload)0;
    payload.steps = (min16int)at - 2;
    RayDesc ray;
    ray.Origin = float3(at * 0.5, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = float4(payload.color.xy * 2, payload.t, payload.steps);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.color.y = 0.25;
    payload.steps *= 2;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = min16float3(attributes.barycentrics, 1);
    payload.t = RayTCurrent();
}
