// trellis: lib_6_9 library
// Memory that a thread finds again after it was reordered: coherent resources and barriers.

struct [raypayload] Payload {
    float4 color : read(caller, closesthit, miss) : write(caller, closesthit, miss);
};

RaytracingAccelerationStructure Scene : register(t0);
reordercoherent RWByteAddressBuffer Words : register(u0);
reordercoherent RWTexture2D<float4> Target : register(u1);

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at, -1), 0, float3(0, 0, 1), 10 };
    Payload payload = { float4(0, 0, 0, 0) };
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 0, 0, ray, payload);
    Words.Store(4 * at.x, at.y);
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    dx::MaybeReorderThread(hit);
    Barrier(Words, REORDER_SCOPE);
    Target[at] = Words.Load(4 * at.x);
    dx::HitObject::Invoke(hit, payload);
    Target[at] += payload.color;
}
