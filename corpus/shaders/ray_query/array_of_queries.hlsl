// trellis: cs_6_5 main -O3
// trellis.od: cs_6_5 main -Od
// An array of ray queries with a computed index.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RayQuery<RAY_FLAG_NONE> queries[3];
    RayDesc ray;
    ray.Origin = float3(id, 0, 0);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 100;
    for (uint i = 0; i < 3; i++)
        queries[i].TraceRayInline(Scene, 0, 0xff, ray);
    uint n = id % 3;
    while (queries[n].Proceed())
        queries[n].CommitNonOpaqueTriangleHit();
    float t = queries[n].CommittedRayT();
    queries[(n + 1) % 3].Proceed();
    Out[id] = float4(t, queries[n].CommittedStatus(), queries[(n + 1) % 3].CandidateTriangleBarycentrics());
}
