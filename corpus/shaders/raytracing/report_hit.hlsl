// trellis: lib_6_3 library
// An intersection shader that asks what became of each report; an any-hit shader that ignores every second one.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<uint> Log : register(u1);

struct Payload
{
    uint kind;
    uint number;
};

struct Attributes
{
    float2 place;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at + 0.5, 0.5, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 64;
    Payload payload = { 0, 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = uint4(payload.kind, payload.number, at, 7);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.kind = 77;
}

[shader("intersection")]
void Reports()
{
    uint at = DispatchRaysIndex().x;
    uint accepted = 0;
    Attributes attributes;
    attributes.place = float2(at, 1);
    if (ReportHit(10, 1, attributes))
        accepted |= 1;
    attributes.place.y = 2;
    if (ReportHit(8, 2, attributes))
    {
        accepted |= 2;
        attributes.place.y = 3;
        if (ReportHit(4, 3, attributes))
            accepted |= 4;
    }
    // Behind what was accepted, or in front of the ray.
    attributes.place.y = 4;
    if (ReportHit(50, 4, attributes))
        accepted |= 8;
    if (ReportHit(-1, 5, attributes))
        accepted |= 16;
    Log[at] = accepted;
}

[shader("anyhit")]
void Any(inout Payload payload, Attributes attributes)
{
    payload.number += (uint)attributes.place.y;
    if ((uint)attributes.place.x % 2 == HitKind() % 2)
        IgnoreHit();
}

[shader("closesthit")]
void Hit(inout Payload payload, Attributes attributes)
{
    payload.kind = HitKind() * 100 + (uint)RayTCurrent();
}
