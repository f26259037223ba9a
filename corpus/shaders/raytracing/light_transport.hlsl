// trellis: lib_6_3 library
// trellis.half: lib_6_3 library -enable-16bit-types -DREAL3=half3
// trellis.sm65: lib_6_5 library
// Photons, caustics and portals: callable sampling of shapes and glass, with any-hit tests at each.
#ifndef REAL3
#define REAL3 float3
#endif
struct Photon { REAL3 power; float far; uint bounces; };
struct Sample { float3 place; float3 way; float chance; uint seed; };
struct Ring { float3 normal; float thick; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Photons : register(u0);
RWByteAddressBuffer Count : register(u1);
typedef BuiltInTriangleIntersectionAttributes Corner;

[shader("raygeneration")]
void Emit() {
  Sample s = {float3(0, 4, 0), float3(0, -1, 0), 1, DispatchRaysIndex().x};
  CallShader(DispatchRaysIndex().x & 3, s);
  Photon p = {(REAL3)(1 / max(s.chance, 0.01f)), 0, 0};
  while (p.bounces < 4) {
    RayDesc ray = {s.place, 0.01f, s.way, 100};
    uint before = p.bounces;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 2, before & 1, ray, p);
    if (p.far < 0)
      break;
    s.place += s.way * p.far;
    uint at;
    Count.InterlockedAdd(0, 1, at);
    Photons[at & 255] = float4(s.place, p.power.x);
    CallShader(4, s);
    p.bounces = before + 1;
  }
}

[shader("miss")]
void Lost(inout Photon p) { p.far = -1; }

[shader("miss")]
void Outside(inout Photon p) {
  p.far = -2;
  p.power *= (REAL3)0.5f;
}

[shader("closesthit")]
void Wall(inout Photon p, Corner c) {
  p.far = RayTCurrent();
  p.power *= (REAL3)0.8f;
}

[shader("closesthit")]
void Glass(inout Photon p, Corner c) {
  p.far = RayTCurrent();
  p.power *= (REAL3)lerp(0.9f, 1.0f, c.barycentrics.x);
  p.bounces += HitKind() == HIT_KIND_TRIANGLE_FRONT_FACE ? 0 : 1;
}

[shader("anyhit")]
void Dust(inout Photon p, Corner c) {
  p.power *= (REAL3)0.99f;
  if (frac(c.barycentrics.x * 8) > 0.25f)
    IgnoreHit();
}

[shader("anyhit")]
void Portal(inout Photon p, Corner c) {
  if (p.bounces == 0)
    IgnoreHit();
  p.power *= (REAL3)(1 - c.barycentrics.y);
}

[shader("anyhit")]
void RingEdge(inout Photon p, Ring r) {
  if (r.thick < 0.01f)
    IgnoreHit();
}

[shader("closesthit")]
void RingHit(inout Photon p, Ring r) {
  p.far = RayTCurrent() * r.thick;
  p.power *= (REAL3)abs(r.normal);
}

[shader("intersection")]
void RingShape() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  float t = -o.z / (abs(d.z) < 1e-4f ? 1e-4f : d.z);
  float2 p = o.xy + d.xy * t;
  float r = length(p);
  Ring ring = {float3(p, 0.2f), 1 - abs(r - 0.75f) * 4};
  if (ring.thick > 0 && t > RayTMin())
    ReportHit(t, 0, ring);
}

[shader("intersection")]
void Lens() {
  float3 o = ObjectRayOrigin(), d = normalize(ObjectRayDirection());
  for (int side = -1; side <= 1; side += 2) {
    float3 c = o - float3(0, 0, side);
    float b = dot(c, d), h = b * b - dot(c, c) + 2.25f;
    if (h <= 0)
      continue;
    float t = -b + (side > 0 ? -sqrt(h) : sqrt(h));
    float3 p = o + d * t;
    Ring ring = {normalize(p - float3(0, 0, side)), 0.5f};
    if (dot(p.xy, p.xy) < 1 && ReportHit(t, 1, ring))
      return;
  }
}

float next(inout uint s) {
  s = s * 1103515245 + 12345;
  return (s >> 8 & 0xffff) / 65536.0f;
}

[shader("callable")]
void PointLight(inout Sample s) {
  float z = next(s.seed) * 2 - 1, a = next(s.seed) * 6.2831853f, r = sqrt(1 - z * z);
  s.way = float3(r * cos(a), r * sin(a), z);
}

[shader("callable")]
void DiscLight(inout Sample s) {
  float r = sqrt(next(s.seed)), a = next(s.seed) * 6.2831853f;
  s.place += float3(r * cos(a), 0, r * sin(a));
  s.chance = 0.31830989f;
}

[shader("callable")]
void SpotLight(inout Sample s) {
  float a = next(s.seed) * 6.2831853f, z = lerp(0.9f, 1, next(s.seed)), r = sqrt(1 - z * z);
  s.way = float3(r * cos(a), -z, r * sin(a));
  s.chance = 1.5915494f;
}

[shader("callable")]
void TubeLight(inout Sample s) {
  s.place.x += next(s.seed) * 4 - 2;
  float a = next(s.seed) * 6.2831853f;
  s.way = float3(0, cos(a), sin(a));
}

[shader("callable")]
void Bounce(inout Sample s) {
  float3 n = float3(0, 1, 0);
  float z = next(s.seed), a = next(s.seed) * 6.2831853f, r = sqrt(1 - z);
  s.way = normalize(float3(r * cos(a), sqrt(z), r * sin(a)) + n * 0.01f);
  s.chance = sqrt(z) * 0.31830989f;
}
