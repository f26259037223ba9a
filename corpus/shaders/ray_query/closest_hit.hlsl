// trellis: cs_6_5 main
// A ray query that takes the closest opaque triangle, and what it says about the hit (shader model 6.5).

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float3> Rays : register(t1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    RayDesc ray;
    ray.Origin = Rays[id * 2];
    ray.Direction = Rays[id * 2 + 1];
    ray.TMin = 0.01;
    ray.TMax = 1000;
    q.TraceRayInline(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, ray);
    q.Proceed();
    float4 r = -1;
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
    {
        r = float4(q.CommittedTriangleBarycentrics(), q.CommittedRayT(), q.CommittedInstanceID());
        r += q.CommittedPrimitiveIndex() + q.CommittedGeometryIndex() + q.CommittedInstanceIndex() + q.CommittedTriangleFrontFace();
        r.x += q.CommittedInstanceContributionToHitGroupIndex();
        r.xyz += q.CommittedObjectRayOrigin() + q.CommittedObjectRayDirection();
        r.xyz += mul(q.CommittedObjectToWorld3x4(), r) + mul(q.CommittedWorldToObject3x4(), r.wzyx);
    }
    Out[id] = r;
}
