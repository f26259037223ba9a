// trellis: cs_6_5 main
// What a query tells of a candidate, and of the hit once it is committed: both the same. The second instance is twice as large as its mesh, and moved by 1 along X and 3 along Z.
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
    RayQuery<RAY_FLAG_NONE> q;
    RayDesc ray = { float3(2, 0.5, 0), 0.25, float3(0, 0, 2), 50 };
    q.TraceRayInline(Scene, 0, 255, ray);
    Out[0] = float4(q.WorldRayOrigin(), q.RayTMin());
    Out[1] = float4(q.WorldRayDirection(), q.CommittedRayT());
    while (q.Proceed()) {
        Out[2] = float4(q.CandidateInstanceIndex(), q.CandidateInstanceID(), q.CandidateGeometryIndex(), q.CandidatePrimitiveIndex());
        Out[3] = float4(q.CandidateTriangleBarycentrics(), q.CandidateTriangleRayT(), q.CandidateTriangleFrontFace());
        Out[4] = float4(q.CandidateObjectRayOrigin(), q.CandidateInstanceContributionToHitGroupIndex());
        Out[5] = float4(q.CandidateObjectRayDirection(), 0);
        Out[6] = q.CandidateObjectToWorld3x4()[0];
        Out[7] = q.CandidateObjectToWorld3x4()[2];
        Out[8] = q.CandidateWorldToObject3x4()[0];
        Out[9] = q.CandidateWorldToObject3x4()[2];
        q.CommitNonOpaqueTriangleHit();
    }
    Out[10] = float4(q.CommittedInstanceIndex(), q.CommittedInstanceID(), q.CommittedGeometryIndex(), q.CommittedPrimitiveIndex());
    Out[11] = float4(q.CommittedTriangleBarycentrics(), q.CommittedRayT(), q.CommittedTriangleFrontFace());
    Out[12] = float4(q.CommittedObjectRayOrigin(), q.CommittedInstanceContributionToHitGroupIndex());
    Out[13] = float4(q.CommittedObjectRayDirection(), 0);
    Out[14] = q.CommittedObjectToWorld3x4()[0];
    Out[15] = q.CommittedObjectToWorld3x4()[2];
    Out[16] = q.CommittedWorldToObject3x4()[0];
    Out[17] = q.CommittedWorldToObject3x4()[2];
}
