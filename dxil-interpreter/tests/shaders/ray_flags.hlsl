// trellis: cs_6_5 main
// What rays see, by ray flags and mask. Along Z, by instance ID: 1 a front face at 1, 2 a back face at 2, 4 a box from 3 to 4, all not opaque; 8 an opaque box from 5 to 6; then opaque triangles: 32 a back face at 8, 16 a front face at 7 (after 32 in the structure), 64 at 9 made not opaque by its instance (mask 2), 128 at 10, made opaque by its instance.
RaytracingAccelerationStructure Scene : register(t0);
// Ray flags, mask.
StructuredBuffer<uint2> Rays : register(t1);
// Sum of the IDs of all candidates, committed status, T, ray flags.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(13, 1, 1)]
void main(uint i : SV_GroupIndex) {
    RayQuery<RAY_FLAG_NONE> query;
    RayDesc ray = { float3(0.25, 0.25, 0), 0.5, float3(0, 0, 1), 100 };
    query.TraceRayInline(Scene, Rays[i].x, Rays[i].y, ray);
    uint seen = 0;
    while (query.Proceed())
        seen += query.CandidateInstanceID();
    Out[i] = uint4(seen, query.CommittedStatus(), query.CommittedRayT(), query.RayFlags());
}
