// trellis: lib_6_3 library
// trellis.loop: lib_6_3 library -DLOOP
// trellis.inline: lib_6_5 library -DINLINE
// trellis.heap: lib_6_6 library -DHEAP
// A path tracer: by recursion or a loop of segments, shadow rays traced or inline, materials by index in the heap.
struct [raypayload] Payload {
  float3 light : read(caller, closesthit, miss) : write(caller, closesthit, miss);
  float3 through : read(caller, closesthit) : write(caller, closesthit);
  float3 origin : read(caller) : write(caller, closesthit);
  float3 way : read(caller) : write(caller, closesthit);
  uint seed : read(caller, closesthit) : write(caller, closesthit);
  uint depth : read(caller, closesthit, miss) : write(caller, closesthit, miss);
};
struct Shadow { bool blocked; };
struct Material { float3 color; float rough; float3 glow; uint map; };
RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<Material> Materials : register(t1);
ByteAddressBuffer Indices : register(t2);
StructuredBuffer<float3> Normals : register(t3);
RWTexture2D<float4> Picture : register(u0);
SamplerState Linear : register(s0);
cbuffer Frame : register(b0) { float4x4 View; uint Count; uint Bounces; float3 Sun; };
typedef BuiltInTriangleIntersectionAttributes Corner;

float next(inout uint s) {
  s = s * 747796405 + 2891336453;
  uint w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737;
  return ((w >> 22 ^ w) >> 8) / 16777216.0f;
}

float3 cosine(float3 n, inout uint s) {
  float a = next(s) * 6.2831853f, z = next(s) * 2 - 1, r = sqrt(1 - z * z);
  return normalize(n + float3(r * cos(a), r * sin(a), z) * 0.999f);
}

bool blocked(float3 o, float3 d) {
#ifdef INLINE
  RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_FORCE_OPAQUE> q;
  RayDesc ray = {o, 0.01f, d, 1000};
  q.TraceRayInline(Scene, 0, 0xff, ray);
  q.Proceed();
  return q.CommittedStatus() != COMMITTED_NOTHING;
#else
  Shadow s = {true};
  RayDesc ray = {o, 0.01f, d, 1000};
  TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 1, 1, ray, s);
  return s.blocked;
#endif
}

[shader("raygeneration")]
void Generate() {
  uint2 at = DispatchRaysIndex().xy;
  uint seed = at.x * 1973 + at.y * 9277 + Count * 26699;
  float2 uv = ((float2)at + float2(next(seed), next(seed))) / (float2)DispatchRaysDimensions().xy * 2 - 1;
  Payload p;
  p.light = 0;
  p.through = 1;
  p.origin = mul(View, float4(0, 0, 0, 1)).xyz;
  p.way = normalize(mul(View, float4(uv, 1, 0)).xyz);
  p.seed = seed;
  p.depth = 0;
#ifdef LOOP
  while (p.depth <= min(Bounces, 8u)) {
    RayDesc ray = {p.origin, 0.001f, p.way, 1000};
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    float most = max(p.through.x, max(p.through.y, p.through.z));
    if (p.depth > 2) {
      if (next(p.seed) > most)
        break;
      p.through /= max(most, 1e-3f);
    }
    ++p.depth;
  }
#else
  RayDesc ray = {p.origin, 0.001f, p.way, 1000};
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
#endif
  float4 before = Picture[at];
  Picture[at] = float4(lerp(before.rgb, p.light, 1.0f / (Count + 1)), 1);
}

[shader("miss")]
void Sky(inout Payload p) {
  p.light += lerp(float3(1, 1, 1), float3(0.4f, 0.6f, 1), saturate(WorldRayDirection().y));
  p.depth = 1000;
}

[shader("miss")]
void Unblocked(inout Shadow s) { s.blocked = false; }

[shader("closesthit")]
void Surface(inout Payload p, Corner c) {
  Material m = Materials[InstanceID() & 15];
  uint3 i = Indices.Load3(PrimitiveIndex() * 12);
  float3 w = float3(1 - c.barycentrics.x - c.barycentrics.y, c.barycentrics);
  float3 n = Normals[i.x & 63] * w.x + Normals[i.y & 63] * w.y + Normals[i.z & 63] * w.z;
  n = normalize(mul(ObjectToWorld3x4(), float4(n, 0)) + 1e-5f);
  if (dot(n, WorldRayDirection()) > 0)
    n = -n;
#ifdef HEAP
  Texture2D<float4> map = ResourceDescriptorHeap[NonUniformResourceIndex(m.map)];
  m.color *= map.SampleLevel(Linear, c.barycentrics, 0).rgb;
#endif
  uint seed = p.seed;
  float3 o = WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
  float3 through = p.through;
  float3 light = p.light + through * m.glow;
  if (dot(n, Sun) > 0 && !blocked(o, Sun))
    light += through * m.color * dot(n, Sun);
  float3 d = m.rough > next(seed) ? cosine(n, seed) : reflect(WorldRayDirection(), n);
  p.through = through * m.color;
  p.origin = o;
  p.way = d;
  p.light = light;
  p.seed = seed;
#ifndef LOOP
  uint depth = p.depth;
  if (depth < 4) {
    p.depth = depth + 1;
    RayDesc ray = {o, 0.001f, d, 1000};
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
  }
#endif
}
