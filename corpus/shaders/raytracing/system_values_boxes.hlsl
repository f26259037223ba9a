// trellis: lib_6_5 library
// What intersection and any-hit shaders may ask.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float4 any[2];
};

struct Attributes
{
    uint number;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at + 0.5, 0.5, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0.5;
    ray.TMax = 40;
    Payload payload = (Payload)0;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 0, 0, ray, payload);
    Out[at * 8] = payload.any[0];
    Out[at * 8 + 1] = payload.any[1];
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.any[0] = -1;
}

[shader("intersection")]
void Box()
{
    uint to = DispatchRaysIndex().x * 8;
    Out[to + 2] = float4(ObjectRayOrigin(), RayTCurrent());
    Attributes attributes = { 12 };
    bool accepted = ReportHit(20, 33, attributes);
    Out[to + 3] = float4(ObjectRayDirection(), 1);
    Out[to + 4] = float4(WorldRayOrigin(), accepted ? 1 : 0);
    Out[to + 5] = float4(InstanceIndex(), InstanceID(), PrimitiveIndex(), GeometryIndex());
    Out[to + 6] = float4(RayFlags(), RayTMin(), ObjectToWorld3x4()[0].w, WorldToObject3x4()[1].w);
}

[shader("anyhit")]
void Any(inout Payload payload, Attributes attributes)
{
    payload.any[0] = float4(RayTCurrent(), HitKind(), attributes.number, InstanceID());
    payload.any[1] = float4(WorldToObject3x4()[0].w, ObjectRayOrigin().x, PrimitiveIndex(), GeometryIndex());
}
