// trellis: lib_6_9 library
// Hit objects with another index of the shader table, flags of the ray, objects that are none; these
// operations are in SPV_EXT_shader_invocation_reorder only.

struct [raypayload] Payload {
  uint value : write(caller, closesthit, miss) : read(caller, closesthit, miss);
};

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[shader("raygeneration")]
void Generate() {
  uint at = DispatchRaysIndex().x;
  RayDesc ray;
  ray.Origin = float3(at, 0, 0);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  Payload payload;
  payload.value = at;
  dx::HitObject none = dx::HitObject::MakeNop();
  dx::MaybeReorderThread(none);
  for (uint i = 0; i < 4; ++i) {
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, i, 0xff, 0, 1, 0, ray, payload);
    uint flags = hit.GetRayFlags();
    if (hit.IsHit())
      hit.SetShaderTableIndex(hit.GetShaderTableIndex() + 1);
    dx::HitObject::Invoke(hit, payload);
    ray.Origin.y += flags + (none.IsNop() ? 1 : 0);
  }
  Out[at] = payload.value;
}
