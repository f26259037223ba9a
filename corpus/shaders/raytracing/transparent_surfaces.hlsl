// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// trellis.sm66: lib_6_6 library
// Any-hit shaders: alpha tests, stochastic and counted layers, dither, coloured shadow, one-sided, portals.
struct Payload { float4 color; uint random; uint layers; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
RWStructuredBuffer<uint> Counts : register(u1);
Texture2D<float4> Leaves : register(t1);
StructuredBuffer<float2> Coordinates : register(t2);
SamplerState Linear : register(s0);
typedef BuiltInTriangleIntersectionAttributes Corner;

float2 uvOf(Corner c) {
  uint first = PrimitiveIndex() * 3;
  float3 w = float3(1 - c.barycentrics.x - c.barycentrics.y, c.barycentrics);
  return Coordinates[first & 31] * w.x + Coordinates[(first + 1) & 31] * w.y + Coordinates[(first + 2) & 31] * w.z;
}

float next(inout uint state) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) / 16777216.0f;
}

[shader("raygeneration")]
void Trace() {
  uint at = DispatchRaysIndex().x;
  RayDesc ray = {float3(at & 7, at >> 3, -2), 0, float3(0, 0, 1), 10};
  Payload p = {float4(1, 1, 1, 1), at * 7919, 0};
  TraceRay(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 1, 0, ray, p);
  Out[at] = p.color;
}

[shader("miss")]
void Through(inout Payload p) { p.color.a = p.layers; }

[shader("closesthit")]
void Opaque(inout Payload p, Corner c) { p.color *= float4(c.barycentrics, 0.5f, 1); }

[shader("anyhit")]
void AlphaTest(inout Payload p, Corner c) {
  if (Leaves.SampleLevel(Linear, uvOf(c), 0).a < 0.5f)
    IgnoreHit();
}

[shader("anyhit")]
void Stochastic(inout Payload p, Corner c) {
  float alpha = Leaves.SampleLevel(Linear, uvOf(c), 1).a;
  if (next(p.random) > alpha)
    IgnoreHit();
}

[shader("anyhit")]
void Layers(inout Payload p, Corner c) {
  p.layers += 1;
  p.color.rgb *= Leaves.SampleLevel(Linear, c.barycentrics, 0).rgb;
  if (p.layers < 4)
    IgnoreHit();
  AcceptHitAndEndSearch();
}

[shader("anyhit")]
void Dither(inout Payload p, Corner c) {
  uint2 at = DispatchRaysIndex().xy;
  uint rank = ((at.x ^ at.y) & 1) * 2 + (at.y & 1);
  if (c.barycentrics.x * 4 < rank)
    IgnoreHit();
  if (InstanceID() == 3)
    AcceptHitAndEndSearch();
}

[shader("anyhit")]
void ColoredShadow(inout Payload p, Corner c) {
  float4 glass = Leaves.SampleLevel(Linear, uvOf(c), 0);
  p.color.rgb *= lerp(1, glass.rgb, glass.a);
  if (any(p.color.rgb > 0.01f))
    IgnoreHit();
  else
    AcceptHitAndEndSearch();
}

[shader("anyhit")]
void OneSided(inout Payload p, Corner c) {
  switch (HitKind()) {
  case HIT_KIND_TRIANGLE_FRONT_FACE:
    if (RayTCurrent() < 1)
      IgnoreHit();
    break;
  case HIT_KIND_TRIANGLE_BACK_FACE:
    IgnoreHit();
    break;
  default:
    p.layers = 99;
  }
}

[shader("anyhit")]
void Counting(inout Payload p, Corner c) {
  uint old;
  InterlockedAdd(Counts[InstanceIndex() & 15], 1, old);
  for (uint i = 0; i < 4; ++i) {
    float2 q = frac(c.barycentrics * (1 << i)) - 0.5f;
    if (dot(q, q) < 0.05f) {
      IgnoreHit();
      return;
    }
  }
}

[shader("anyhit")]
void Cut(inout Payload p, Corner c) {
  float3 at = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
  float3 local = mul(WorldToObject3x4(), float4(at, 1));
  if (dot(local, float3(0.3f, 0.5f, 0.8f)) > 0.5f)
    IgnoreHit();
}
