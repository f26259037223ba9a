// trellis: lib_6_5 library
// Ray queries in ray generation and closest-hit shaders, beside traced rays.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float t;
    float behind;
};

RayDesc Along(float3 from)
{
    RayDesc ray;
    ray.Origin = from;
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0.125;
    ray.TMax = 32;
    return ray;
}

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    float3 from = float3(at * 0.5 + 0.125, 0.25, -1);
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xFF, Along(from));
    query.Proceed();
    Payload payload = { 0, 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xFF, 0, 1, 0, Along(from), payload);
    Out[at] = float4(query.CommittedRayT(), query.CommittedStatus(), payload.t, payload.behind);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.t = -1;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.t = RayTCurrent();
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xFF, Along(WorldRayOrigin() + payload.t * WorldRayDirection()));
    query.Proceed();
    payload.behind = query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? query.CommittedRayT() : 0;
}
