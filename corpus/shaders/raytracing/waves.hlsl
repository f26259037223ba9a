// trellis: lib_6_3 library
// Wave operations in a ray generation shader, before and after a ray.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

struct Payload
{
    uint hit;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    bool lowest = WaveIsFirstLane();
    RayDesc ray;
    ray.Origin = float3(at + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload = { WaveActiveAnyTrue(at < 100) ? 1u : 0u };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    uint all = WaveActiveAllTrue(payload.hit > 0) ? 1 : 0;
    Out[at] = uint2(payload.hit + (WaveGetLaneIndex() < WaveGetLaneCount() ? 10 : 0), all + (lowest ? 0 : 0));
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.hit += 2;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.hit += 4;
}
