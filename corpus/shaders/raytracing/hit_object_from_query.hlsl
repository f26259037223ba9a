// trellis: lib_6_9 library
// Hit objects of ray queries, and constants of a hit's local root signature.

struct [raypayload] Payload {
    float4 color : read(caller, closesthit, miss) : write(caller, closesthit, miss);
};

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Target : register(u0);

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at, -1), 0, float3(0, 0, 1), 10 };
    Payload payload = { float4(1, 0, 0, 0) };
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xFF, ray);
    query.Proceed();
    dx::HitObject hit = dx::HitObject::FromRayQuery(query);
    hit.SetShaderTableIndex(2);
    dx::MaybeReorderThread(hit);
    dx::HitObject::Invoke(hit, payload);
    Target[at] = payload.color;
}

[shader("raygeneration")]
void Constants()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at, -1), 0, float3(0, 0, 1), 10 };
    Payload payload = { float4(1, 0, 0, 0) };
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 0, 0, ray, payload);
    Target[at] = hit.LoadLocalRootTableConstant(4);
}
