// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// An any-hit shader that ignores hits from within a loop, and accepts others after it.

RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<uint> Holes : register(t1);
RWStructuredBuffer<uint4> Out : register(u0);

struct Payload
{
    uint ignored;
    uint hit;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 100;
    Payload payload = { 0, 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = uint4(payload.ignored, payload.hit, at, 7);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.hit = 1000;
}

// Hole k says which primitive lets the ray at place k through; an entry of 99 ends the list.
[shader("anyhit")]
void Any(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    uint place = DispatchRaysIndex().x;
    for (uint k = 0; k < 16; k++)
    {
        uint hole = Holes[place * 4 + (k & 3)];
        if (hole == 99)
            break;
        if (hole == PrimitiveIndex())
        {
            payload.ignored |= 1u << hole;
            IgnoreHit();
        }
        if (hole == PrimitiveIndex() + 50)
            AcceptHitAndEndSearch();
    }
    payload.hit = 1u << (8 + PrimitiveIndex());
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.hit |= 0x10000 + PrimitiveIndex();
}
