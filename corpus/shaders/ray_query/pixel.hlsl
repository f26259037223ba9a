// trellis: ps_6_5 main
// A shadow ray from a pixel shader (shader model 6.5).

RaytracingAccelerationStructure Scene : register(t0);

float4 main(float3 world : WORLD, float3 toLight : LIGHT) : SV_Target
{
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_CULL_NON_OPAQUE> q;
    RayDesc ray = { world, 0.01, toLight, 1 };
    q.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, ray);
    q.Proceed();
    return q.CommittedStatus() == COMMITTED_NOTHING ? 1 : 0.2;
}
