// trellis: lib_6_3 library
// One ray a texel against one triangle: a miss shader, and a closest-hit shader with barycentrics.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float3 color;
    uint hits;
};

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    uint2 size = DispatchRaysDimensions().xy;
    RayDesc ray;
    ray.Origin = float3((at + 0.5) / size, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    payload.color = float3(1, 2, 3);
    payload.hits = at.x;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at.y * size.x + at.x] = float4(payload.color, payload.hits);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.color *= WorldRayDirection().z + WorldRayOrigin().x;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = float3(attributes.barycentrics, RayTCurrent());
    payload.hits += 100;
}
