// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// Rays from closest-hit and miss shaders: the payload of a shader's own, and a ray after another.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

struct Payload
{
    uint depth;
    uint path;
    float t;
};

RayDesc Along(float3 from, float3 direction)
{
    RayDesc ray;
    ray.Origin = from;
    ray.Direction = direction;
    ray.TMin = 0.125;
    ray.TMax = 100;
    return ray;
}

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Payload payload = { 0, 1, 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, Along(float3(at * 0.5 + 0.25, 0.25, -1), float3(0, 0, 1)), payload);
    Out[at] = uint4(payload.depth, payload.path, (uint)(payload.t * 16), at);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.path = payload.path * 10 + 9;
    if (payload.depth == 0)
    {
        payload.depth = 1;
        // What this shader was given goes on as it is.
        TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 1, Along(WorldRayOrigin() + float3(-2, 0, 0), float3(0, 0, 1)), payload);
    }
}

[shader("miss")]
void MissedAgain(inout Payload payload)
{
    payload.path = payload.path * 10 + 8;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.t += RayTCurrent();
    payload.path = payload.path * 10 + 2 + PrimitiveIndex();
    if (payload.depth >= 2)
        return;
    Payload next = { payload.depth + 1, 0, 0 };
    float3 at = WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 1, Along(at, float3(0.25, 0, 1)), next);
    payload.path = payload.path * 1000 + next.path;
    payload.t += next.t;
}
