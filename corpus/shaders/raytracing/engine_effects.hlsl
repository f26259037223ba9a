// trellis: lib_6_3 library
// trellis.sm65: lib_6_5 library
// trellis.od: lib_6_3 library -Od
// Rays of an engine: occlusion, shadows of area lights, reflections, probes of light, picking, baking.
struct Distance { float far; };
struct Color { float3 light; float far; };
struct Picked { uint instance; uint primitive; float2 at; };
RaytracingAccelerationStructure Scene : register(t0);
Texture2D<float4> Surface : register(t1);
StructuredBuffer<float4> Texels : register(t2);
RWTexture2D<float4> Result : register(u0);
RWStructuredBuffer<float4> Probes : register(u1);
RWStructuredBuffer<uint4> Picks : register(u2);
cbuffer Frame : register(b0) { float3 Eye; float Radius; float3 Light; uint Count; };
typedef BuiltInTriangleIntersectionAttributes Corner;

float3 spiral(uint i, uint count) {
  float z = 1 - (2 * i + 1.0f) / count, r = sqrt(1 - z * z), a = i * 2.3999632f;
  return float3(r * cos(a), r * sin(a), z);
}

[shader("raygeneration")]
void Occlusion() {
  uint2 at = DispatchRaysIndex().xy;
  float4 s = Surface.Load(int3(at, 0));
  float sum = 0;
  for (uint i = 0; i < 4; ++i) {
    float3 d = spiral((i * 7 + at.x + at.y) & 15, 16);
    d = dot(d, s.xyz) < 0 ? -d : d;
    RayDesc ray = {Eye + float3(at, s.w), 0.01f, d, Radius};
    Distance p = {Radius};
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 1, 0, 1, 0, ray, p);
    sum += p.far / max(Radius, 0.1f);
  }
  Result[at] = sum / 4;
}

[shader("raygeneration")]
void AreaShadow() {
  uint2 at = DispatchRaysIndex().xy;
  float3 o = Eye + float3(at, Surface.Load(int3(at, 0)).w);
  uint open = 0;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float3 to = Light + spiral(i, 4) * 0.5f - o;
    RayDesc ray = {o, 0.01f, normalize(to), length(to)};
    Distance p = {0};
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 2, 0, 1, 1, ray, p);
    open += p.far > 0;
  }
  Result[at] = open * 0.25f;
}

[shader("raygeneration")]
void Reflection() {
  uint2 at = DispatchRaysIndex().xy;
  float4 s = Surface.Load(int3(at, 0));
  if (s.w < 0.1f) {
    Result[at] = 0;
    return;
  }
  float3 o = float3(at, s.w), d = reflect(normalize(o - Eye), normalize(s.xyz + 1e-4f));
  RayDesc ray = {o, 0.01f, d, 100};
  Color c = {float3(0, 0, 0), 0};
  TraceRay(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 4, 1, 1, 2, ray, c);
  Result[at] = float4(c.light, c.far);
}

[shader("raygeneration")]
void ProbeRays() {
  uint probe = DispatchRaysIndex().y, i = DispatchRaysIndex().x;
  float3 d = spiral(i, DispatchRaysDimensions().x);
  RayDesc ray = {float3(probe & 3, probe >> 2, 0) * 2, 0, d, 50};
  Color c = {float3(0, 0, 0), 0};
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 1, 1, 2, ray, c);
  Probes[probe * DispatchRaysDimensions().x + i] = float4(c.light, c.far);
}

[shader("raygeneration")]
void Pick() {
  RayDesc ray = {Eye, 0, normalize(Light - Eye), 1000};
  Picked p = {~0u, ~0u, float2(0, 0)};
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 2, 1, 1, ray, p);
  Picks[DispatchRaysIndex().x] = uint4(p.instance, p.primitive, asuint(p.at));
}

[shader("raygeneration")]
void Bake() {
  uint i = DispatchRaysIndex().x;
  float4 texel = Texels[i & 63];
  float3 sum = 0;
  for (uint k = 0; k < min(Count, 16u); ++k) {
    RayDesc ray = {texel.xyz, 0.001f, spiral(k, 16), 100};
    Color c = {float3(0, 0, 0), 0};
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 1, 1, 2, ray, c);
    if (c.far < 0) {
      sum = 0;
      break;
    }
    sum += c.light;
  }
  Probes[i] = float4(sum / 16, 1);
}

[shader("closesthit")]
void Near(inout Distance p, Corner c) { p.far = RayTCurrent(); }

[shader("miss")]
void Far(inout Distance p) {}

[shader("miss")]
void Open(inout Distance p) { p.far = RayTMin() + 1; }

[shader("miss")]
void Empty(inout Color c) {
  c.light = saturate(WorldRayDirection());
  c.far = 1000;
}

[shader("closesthit")]
void Lit(inout Color c, Corner at) {
  bool back = HitKind() == HIT_KIND_TRIANGLE_BACK_FACE;
  c.far = back ? -RayTCurrent() : RayTCurrent();
  c.light = back ? 0 : Texels[(InstanceIndex() + (PrimitiveIndex() & 3)) & 63].xyz * (1 - at.barycentrics.x);
}

[shader("closesthit")]
void Take(inout Picked p, Corner c) {
  p.instance = InstanceIndex();
  p.primitive = PrimitiveIndex();
  p.at = c.barycentrics;
}
