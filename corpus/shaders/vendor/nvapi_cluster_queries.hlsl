// trellis: cs_6_5 main
// NVAPI: the clusters of the candidates and the hit of a ray query, which its flags name.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

uint Cluster(uint operation, uint flags)
{
    uint at = Extension.IncrementCounter();
    Extension[at].operation = operation;
    Extension[at].src0.x = flags;
    return Extension.IncrementCounter();
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RayQuery<RAY_FLAG_NONE> query;
    RayDesc ray = { float3(id, 0, -1), 0, float3(0, 0, 1), 10 };
    query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xFF, ray);
    uint2 clusters = 0;
    while (query.Proceed()) {
        clusters.x ^= Cluster(94, query.RayFlags());
        query.CommitNonOpaqueTriangleHit();
    }
    if (query.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
        clusters.y = Cluster(95, query.RayFlags());
    Out[id] = clusters;
}
