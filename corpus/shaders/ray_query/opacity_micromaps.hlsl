// trellis: cs_6_9 main
// Ray queries of triangles with opacity micromaps: a flag of the query, and one of the ray.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayQuery<RAY_FLAG_FORCE_OPAQUE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> query;
  RayDesc ray;
  ray.Origin = float3(id, 0, 0);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  query.TraceRayInline(Scene, RAY_FLAG_FORCE_OMM_2_STATE, 0xff, ray);
  query.Proceed();
  Out[id] = query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? query.CommittedRayT() : -1;
}
