// trellis: lib_6_7 library -enable-payload-qualifiers
// A payload with access qualifiers, which say nothing that SPIR-V wants to know.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float2> Out : register(u0);

struct [raypayload] Payload
{
    float t : read(caller) : write(caller, closesthit, miss);
    uint seed : read(closesthit, caller) : write(caller);
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at * 0.5 + 0.125, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    payload.t = 0;
    payload.seed = at;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = float2(payload.t, payload.seed);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.t = -1;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.t = RayTCurrent() + payload.seed;
}
