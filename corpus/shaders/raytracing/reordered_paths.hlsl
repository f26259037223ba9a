// trellis: lib_6_9 library
// trellis.od: lib_6_9 library -Od
// A path tracer of shader model 6.9: hit objects, reordering by material, and every property of a hit.
struct [raypayload] Payload {
  float3 light : read(caller, closesthit, miss) : write(caller, closesthit, miss);
  float3 through : read(caller, closesthit) : write(caller, closesthit);
  float3 way : read(caller) : write(caller, closesthit);
};
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<uint> Kinds : register(t1);
using dx::HitObject;

[shader("raygeneration")]
void Paths() {
  uint2 at = DispatchRaysIndex().xy;
  Payload p;
  p.light = 0;
  p.through = 1;
  p.way = normalize(float3(at, 1));
  float3 o = 0;
  for (uint bounce = 0; bounce < 3; ++bounce) {
    RayDesc ray = {o, 0.01f, p.way, 100};
    HitObject hit = HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    uint kind = hit.IsHit() ? Kinds[hit.GetInstanceID() & 15] : 15;
    dx::MaybeReorderThread(hit, kind, 4);
    HitObject::Invoke(hit, p);
    if (hit.IsMiss())
      break;
    o += p.way * hit.GetRayTCurrent();
  }
  Out[at.y * 64 + at.x] = float4(p.light, 1);
}

[shader("raygeneration")]
void Inspect() {
  uint at = DispatchRaysIndex().x;
  Payload p;
  p.light = p.through = p.way = 0;
  RayDesc ray = {float3(at, 0, 0), 0, float3(0, 0, 1), 10};
  HitObject hit = HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, p);
  float4 sum = float4(hit.GetWorldRayOrigin(), hit.GetRayTMin());
  sum.xyz += hit.GetWorldRayDirection() + hit.GetObjectRayDirection() + hit.GetObjectRayOrigin();
  sum.w += hit.GetShaderTableIndex();
  if (hit.IsHit()) {
    sum.xyz += mul(hit.GetWorldToObject3x4(), sum) + mul(hit.GetObjectToWorld3x4(), sum);
    sum.w += hit.GetInstanceIndex() + hit.GetGeometryIndex() * 16 + hit.GetPrimitiveIndex() * 256 + hit.GetHitKind();
  }
  if (hit.IsNop())
    sum = 0;
  dx::MaybeReorderThread((uint)sum.w & 3, 2);
  Out[at] = sum;
}

[shader("miss")]
void Sky(inout Payload p) { p.light += p.through * saturate(WorldRayDirection().y); }

[shader("closesthit")]
void Surface(inout Payload p, BuiltInTriangleIntersectionAttributes c) {
  float3 n = float3(c.barycentrics, 1 - c.barycentrics.x - c.barycentrics.y);
  p.through *= n;
  p.way = reflect(WorldRayDirection(), normalize(n));
}
