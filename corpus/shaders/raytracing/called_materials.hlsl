// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// trellis.sm66: lib_6_6 library
// trellis.half: lib_6_3 library -enable-16bit-types -DREAL3=half3
// Callable shaders as materials and lights: patterns, layers that call others, sampling of lights.
#ifndef REAL3
#define REAL3 float3
#endif
struct Payload { float3 color; uint seed; };
struct Material { REAL3 color; float rough; float3 place; uint depth; };
struct Light { float3 way; float far; float3 radiance; float chance; };
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Picture : register(u0);
StructuredBuffer<float4> Lights : register(t1);
typedef BuiltInTriangleIntersectionAttributes Corner;

[shader("raygeneration")]
void Camera() {
  uint2 at = DispatchRaysIndex().xy;
  RayDesc ray = {float3(at, -10), 0.01f, float3(0, 0, 1), 100};
  Payload p = {float3(0, 0, 0), at.x * 9781 + at.y * 6271};
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
  Picture[at] = float4(p.color, 1);
}

[shader("miss")]
void Missed(inout Payload p) { p.color = 0.1f; }

[shader("closesthit")]
void Hit(inout Payload p, Corner c) {
  Material m;
  m.color = (REAL3)1;
  m.rough = 0.5f;
  m.place = WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
  m.depth = 0;
  CallShader(InstanceID() % 6, m);
  Light l = {m.place, 0, float3(0, 0, 0), asfloat(p.seed)};
  CallShader(6 + p.seed % 4, l);
  p.color = (float3)m.color * l.radiance * saturate(l.way.z) / max(l.chance, 0.1f);
}

[shader("callable")]
void Checker(inout Material m) {
  int3 i = (int3)floor(m.place);
  m.color = ((i.x + i.y + i.z) & 1) != 0 ? m.color : m.color * (REAL3)0.1f;
}

[shader("callable")]
void Marble(inout Material m) {
  float3 p = m.place;
  float t = 0, w = 1;
  for (uint i = 0; i < 4; ++i, w *= 0.5f, p = p.yzx * 2.1f)
    t += w * abs(sin(p.x + sin(p.y * 1.3f + p.z)));
  m.color *= (REAL3)lerp(float3(0.9f, 0.9f, 0.85f), float3(0.2f, 0.2f, 0.3f), saturate(t - 0.5f));
  m.rough = 0.1f;
}

[shader("callable")]
void Wood(inout Material m) {
  float r = length(m.place.xz) * 8 + sin(m.place.y * 2);
  float ring = frac(r) < 0.3f ? 0.4f : 0.8f;
  m.color *= (REAL3)float3(0.6f, 0.4f, 0.2f) * (REAL3)ring;
}

[shader("callable")]
void Rust(inout Material m) {
  if (m.depth > 1)
    return;
  m.depth += 1;
  Material below = m;
  CallShader(frac(m.place.x) > 0.5f ? 1 : 0, below);
  m.color = lerp(m.color * (REAL3)float3(0.5f, 0.2f, 0.1f), below.color, (REAL3)saturate(sin(m.place.y * 5)));
  m.rough = max(m.rough, below.rough);
}

[shader("callable")]
void Brick(inout Material m) {
  float2 p = m.place.xy * float2(2, 4);
  p.x += (int)floor(p.y) & 1 ? 0.5f : 0;
  float2 f = frac(p);
  bool mortar = f.x < 0.05f || f.y < 0.1f;
  m.color *= mortar ? (REAL3)0.7f : (REAL3)float3(0.6f, 0.2f, 0.15f);
}

[shader("callable")]
void Gradient(inout Material m) { m.color *= (REAL3)smoothstep(-1, 1, m.place); }

[shader("callable")]
void Point(inout Light l) {
  float4 light = Lights[asuint(l.chance) & 7];
  float3 d = light.xyz - l.way;
  l.far = length(d);
  l.way = d / max(l.far, 1e-3f);
  l.radiance = light.w / max(l.far * l.far, 1e-3f);
  l.chance = 1;
}

[shader("callable")]
void Sun(inout Light l) {
  l.way = normalize(float3(0.3f, 0.8f, 0.5f));
  l.far = 1e4f;
  l.radiance = float3(1, 0.9f, 0.8f);
  l.chance = 1;
}

[shader("callable")]
void Area(inout Light l) {
  uint s = asuint(l.chance) * 747796405u + 1;
  float2 u = float2(s & 0xffff, s >> 16) / 65536;
  float3 on = float3(u.x * 2 - 1, 4, u.y * 2 - 1), d = on - l.way;
  l.far = length(d);
  l.way = d / l.far;
  l.chance = l.far * l.far / max(4 * l.way.y, 1e-3f);
  l.radiance = 10;
}

[shader("callable")]
void Dome(inout Light l) {
  uint s = asuint(l.chance) ^ 0x9e3779b9u;
  float a = (s & 0xffff) * (6.2831853f / 65536), z = (s >> 16) / 65536.0f, r = sqrt(1 - z * z);
  l.way = float3(cos(a) * r, sin(a) * r, z);
  l.far = 1e4f;
  l.radiance = lerp(0.3f, float3(0.4f, 0.6f, 1), z);
  l.chance = 0.15915494f;
}
