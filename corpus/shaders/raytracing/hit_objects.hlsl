// trellis: lib_6_9 library
// trellis.od: lib_6_9 library -Od
// Hit objects: traced, made by hand, read, reordered by, invoked.

struct [raypayload] Payload {
  float4 color : write(caller, closesthit, miss) : read(caller, closesthit, miss);
};

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[shader("raygeneration")]
void Generate() {
  uint2 at = DispatchRaysIndex().xy;
  RayDesc ray;
  ray.Origin = float3(at, 0);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  Payload payload;
  payload.color = float4(at, 0, 1);
  dx::HitObject hit;
  if ((at.x & 3) != 0)
    hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, payload);
  else
    hit = dx::HitObject::MakeMiss(0, 1, ray);
  dx::MaybeReorderThread(hit, at.x, 4);
  float4 seen = 0;
  if (hit.IsHit()) {
    BuiltInTriangleIntersectionAttributes attributes;
    hit.GetAttributes(attributes);
    seen.xy = attributes.barycentrics;
    seen.z = hit.GetRayTCurrent() + hit.GetPrimitiveIndex() + hit.GetInstanceID() * 10 + hit.GetHitKind();
    seen.w = hit.GetObjectToWorld3x4()[1].z + hit.GetObjectRayOrigin().y;
  } else if (hit.IsMiss()) {
    seen = float4(hit.GetWorldRayDirection(), hit.GetRayTMin());
  }
  dx::HitObject::Invoke(hit, payload);
  Out[at.y * 64 + at.x] = payload.color + seen;
}

[shader("miss")]
void Missed(inout Payload payload) {
  payload.color = 0.5;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
  payload.color.xy = attributes.barycentrics;
}
