// trellis: lib_6_5 library
// All that a closest-hit shader may ask: indices, rays in both spaces, both matrices.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    uint hits;
};

[shader("raygeneration")]
void Generate()
{
    uint3 at = DispatchRaysIndex();
    uint3 size = DispatchRaysDimensions();
    uint place = (at.z * size.y + at.y) * size.x + at.x;
    RayDesc ray;
    ray.Origin = float3(at.x * 2 + 0.5, at.y * 2 + 0.5, at.z - 8.0);
    ray.Direction = float3(0, 0, 2);
    ray.TMin = 0.25;
    ray.TMax = 100;
    Payload payload = { place };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xFF, 0, 1, 0, ray, payload);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    uint to = payload.hits * 16;
    Out[to] = float4(WorldRayOrigin(), RayTMin());
    Out[to + 1] = float4(WorldRayDirection(), RayTCurrent());
    Out[to + 2] = float4(RayFlags(), DispatchRaysIndex().xy, DispatchRaysDimensions().z);
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    uint to = payload.hits * 16;
    Out[to] = float4(WorldRayOrigin(), RayTMin());
    Out[to + 1] = float4(WorldRayDirection(), RayTCurrent());
    Out[to + 2] = float4(RayFlags(), HitKind(), DispatchRaysIndex().x, DispatchRaysDimensions().y);
    Out[to + 3] = float4(InstanceIndex(), InstanceID(), PrimitiveIndex(), GeometryIndex());
    Out[to + 4] = float4(ObjectRayOrigin(), attributes.barycentrics.x);
    Out[to + 5] = float4(ObjectRayDirection(), attributes.barycentrics.y);
    for (uint row = 0; row < 3; row++)
    {
        Out[to + 6 + row] = ObjectToWorld3x4()[row];
        Out[to + 9 + row] = WorldToObject3x4()[row];
    }
    float4x3 turned = ObjectToWorld4x3();
    Out[to + 12] = float4(turned[0], turned[3].x);
    Out[to + 13] = float4(mul(ObjectToWorld3x4(), float4(1, 2, 3, 1)), 0);
    Out[to + 14] = float4(mul(float4(1, 2, 3, 1), WorldToObject4x3()), 0);
}
