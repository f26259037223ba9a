// trellis.shadow: cs_6_5 shadow
// trellis.occlusion: cs_6_5 occlusion
// trellis.alpha: cs_6_5 alpha
// trellis.pixel: ps_6_5 pixel
// trellis.vertex: vs_6_5 vertex
// trellis.reflect: cs_6_5 mirror
// trellis.heap: cs_6_6 shadow -DHEAP
// Inline rays in usual shaders: shadows, occlusion, alpha tests, reflections, light per vertex.
#ifdef HEAP
cbuffer Places : register(b1) { uint Place; };
#define SCENE scene
#define FIND RaytracingAccelerationStructure scene = ResourceDescriptorHeap[Place];
#else
RaytracingAccelerationStructure Scene : register(t0);
#define SCENE Scene
#define FIND
#endif
Texture2D<float4> Surface : register(t1);
Texture2D<float4> Leaves : register(t2);
RWTexture2D<float4> Out : register(u0);
SamplerState Linear : register(s0);
cbuffer Frame : register(b0) { float3 Sun; float Radius; float4x4 View; };

[numthreads(8, 8, 1)]
void shadow(uint2 id : SV_DispatchThreadID) {
  FIND
  float4 s = Surface[id];
  RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES | RAY_FLAG_FORCE_OPAQUE> q;
  RayDesc ray = {s.xyz, 0.01f, Sun, 1000};
  q.TraceRayInline(SCENE, RAY_FLAG_NONE, 1, ray);
  q.Proceed();
  Out[id] = q.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? 0 : 1;
}

#ifndef HEAP
[numthreads(8, 8, 1)]
void occlusion(uint2 id : SV_DispatchThreadID) {
  float4 s = Surface[id];
  float sum = 0;
  RayQuery<RAY_FLAG_CULL_NON_OPAQUE> q;
  for (uint i = 0; i < 8; ++i) {
    float a = i * 2.3999632f + id.x, z = (i + 0.5f) / 8, r = sqrt(1 - z * z);
    RayDesc ray = {s.xyz, 0.01f, float3(r * cos(a), z, r * sin(a)), Radius};
    q.TraceRayInline(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, ray);
    while (q.Proceed()) {
    }
    if (q.CommittedStatus() != COMMITTED_NOTHING)
      sum += 1 - q.CommittedRayT() / max(Radius, 0.1f);
  }
  Out[id] = 1 - sum / 8;
}

[numthreads(8, 8, 1)]
void alpha(uint2 id : SV_DispatchThreadID) {
  RayQuery<RAY_FLAG_NONE> q;
  RayDesc ray = {float3(id, -1), 0, float3(0, 0, 1), 100};
  q.TraceRayInline(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, ray);
  uint looked = 0;
  float3 tint = 1;
  while (q.Proceed()) {
    if (q.CandidateType() != CANDIDATE_NON_OPAQUE_TRIANGLE)
      continue;
    float4 c = Leaves.SampleLevel(Linear, q.CandidateTriangleBarycentrics(), 0);
    if (c.a > 0.9f)
      q.CommitNonOpaqueTriangleHit();
    else
      tint *= lerp(1, c.rgb, c.a);
    if (++looked == 16) {
      q.Abort();
      break;
    }
  }
  bool hit = q.CommittedStatus() == COMMITTED_TRIANGLE_HIT;
  Out[id] = float4(tint, hit ? q.CommittedRayT() : -1);
}

float4 pixel(float4 at : SV_Position, float3 place : PLACE, float3 n : NORMAL) : SV_Target {
  float lit = saturate(dot(n, Sun));
  if (lit > 0) {
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> q;
    RayDesc ray = {place + n * 0.01f, 0, Sun, 100};
    q.TraceRayInline(Scene, 0, 0xff, ray);
    while (q.Proceed())
      if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE && q.CandidatePrimitiveIndex() % 2 == 0)
        q.CommitNonOpaqueTriangleHit();
    if (q.CommittedStatus() != COMMITTED_NOTHING)
      lit *= 0.2f;
  }
  return lit;
}

void vertex(float3 p : POSITION, float3 n : NORMAL, out float4 place : SV_Position, out float light : LIGHT) {
  light = 0;
  for (uint i = 0; i < 4; ++i) {
    RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> q;
    float3 d = normalize(n + float3(i & 1, i >> 1, 0.5f) * 2 - 1);
    RayDesc ray = {p + n * 0.1f, 0, d, Radius};
    q.TraceRayInline(Scene, 0, 0xff, ray);
    q.Proceed();
    light += q.CommittedStatus() == COMMITTED_NOTHING ? 0.25f : 0;
  }
  place = mul(View, float4(p, 1));
}

[numthreads(8, 8, 1)]
void mirror(uint2 id : SV_DispatchThreadID) {
  float3 o = float3(id, 0), d = normalize(Surface[id].xyz + 1e-3f), through = 1, light = 0;
  for (uint bounce = 0; bounce < 3; ++bounce) {
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    RayDesc ray = {o, 0.01f, d, 100};
    q.TraceRayInline(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, ray);
    q.Proceed();
    if (q.CommittedStatus() == COMMITTED_NOTHING) {
      light += through * saturate(d.y);
      break;
    }
    float3x4 m = q.CommittedObjectToWorld3x4();
    float3 n = normalize(mul((float3x3)m, float3(0, 1, 0)) + 1e-4f);
    if (!q.CommittedTriangleFrontFace())
      n = -n;
    o += d * q.CommittedRayT();
    d = reflect(d, n);
    through *= 0.5f + 0.1f * (q.CommittedInstanceID() & 3) + 0.1f * q.CommittedTriangleBarycentrics().x;
  }
  Out[id] = float4(light, 1);
}
#endif
