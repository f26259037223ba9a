// trellis: cs_6_5 main
// A ray-query loop that looks at every candidate, commits some, and may abort (shader model 6.5).

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float3> Rays : register(t1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RayQuery<RAY_FLAG_NONE> q;
    RayDesc ray = { Rays[id * 2], 0.01, Rays[id * 2 + 1], 1000 };
    q.TraceRayInline(Scene, RAY_FLAG_NONE, 0x0f, ray);
    float4 r = 0;
    [loop]
    while (q.Proceed())
    {
        switch (q.CandidateType())
        {
        case CANDIDATE_NON_OPAQUE_TRIANGLE:
            r.xy += q.CandidateTriangleBarycentrics();
            r.z += q.CandidateTriangleRayT() + q.CandidateTriangleFrontFace();
            r.w += q.CandidateInstanceIndex() + q.CandidateInstanceID() + q.CandidateGeometryIndex() + q.CandidatePrimitiveIndex();
            if (r.z < 10)
                q.CommitNonOpaqueTriangleHit();
            break;
        case CANDIDATE_PROCEDURAL_PRIMITIVE:
            r.xyz += q.CandidateObjectRayOrigin() + q.CandidateObjectRayDirection();
            r.xyz += mul(q.CandidateObjectToWorld3x4(), r) + mul(q.CandidateWorldToObject3x4(), r.wzyx);
            r.w += q.CandidateInstanceContributionToHitGroupIndex();
            if (q.CandidateProceduralPrimitiveNonOpaque())
                q.CommitProceduralPrimitiveHit(r.x);
            break;
        }
        if (r.w > 100)
            q.Abort();
    }
    r.xyz += q.WorldRayOrigin() + q.WorldRayDirection();
    r.w += q.RayFlags() + q.RayTMin();
    Out[id] = r;
}
