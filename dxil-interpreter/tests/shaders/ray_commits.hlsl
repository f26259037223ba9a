// trellis: cs_6_5 main
// A shader decides about each candidate. The structure: triangles that are not opaque at Z 4, 2 and 3 (geometry 0), and a box that is, from 5 to 6.
RaytracingAccelerationStructure Triangles : register(t0);
RaytracingAccelerationStructure Boxes : register(t1);
// TMin, TMax, the first candidate after which the query is ended, T that boxes are committed with.
StructuredBuffer<float4> Rays : register(t2);
// Candidates, committed status, committed primitive, T.
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    RayQuery<RAY_FLAG_NONE> query;
    float4 at = Rays[i];
    RayDesc ray = { float3(0.25, 0.25, 0), at.x, float3(0, 0, 1), at.y };
    // A ray that is not continued has no effect on the next.
    query.TraceRayInline(Triangles, RAY_FLAG_FORCE_OPAQUE, 255, ray);
    query.Proceed();
    if (i < 5)
        query.TraceRayInline(Triangles, 0, 255, ray);
    else
        query.TraceRayInline(Boxes, 0, 255, ray);
    float count = 0;
    while (query.Proceed()) {
        count++;
        if (query.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE) {
            if (!query.CandidateProceduralPrimitiveNonOpaque())
                query.CommitProceduralPrimitiveHit(at.w);
        } else
            query.CommitNonOpaqueTriangleHit();
        if (count == at.z)
            query.Abort();
    }
    float primitive = query.CommittedStatus() == COMMITTED_NOTHING ? -1.0f : query.CommittedPrimitiveIndex();
    Out[i] = float4(count, query.CommittedStatus(), primitive, query.CommittedRayT());
}
