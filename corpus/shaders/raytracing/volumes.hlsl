// trellis: lib_6_3 library
// trellis.sm66: lib_6_6 library
// trellis.sm67: lib_6_7 library -disable-payload-qualifiers
// trellis.sm68: lib_6_8 library -disable-payload-qualifiers
// Volumes in boxes: any-hit shaders that gather intervals, intersection shaders that march through density.
struct Payload { float2 spans[4]; uint count; float through; };
struct Span { float2 range; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float> Density : register(t1);

[shader("raygeneration")]
void March() {
  uint at = DispatchRaysIndex().x;
  Payload p;
  p.count = 0;
  p.through = 1;
  for (uint i = 0; i < 4; ++i)
    p.spans[i] = 0;
  RayDesc ray = {float3(at & 7, at >> 3, -8), 0, float3(0, 0, 1), 100};
  TraceRay(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 1, 0, ray, p);
  float sum = 0;
  for (uint s = 0; s < min(p.count, 4u); ++s) {
    float2 span = p.spans[s];
    for (float t = span.x; t < span.y; t += 0.25f) {
      float d = Density[(uint)(t * 4) & 63];
      sum += p.through * d;
      p.through *= exp(-d * 0.25f);
      if (p.through < 0.01f)
        break;
    }
  }
  Out[at] = float4(sum, p.through, p.count, 1);
}

[shader("miss")]
void Done(inout Payload p) { p.through *= 0.99f; }

[shader("anyhit")]
void Gather(inout Payload p, Span s) {
  uint at = p.count;
  while (at > 0 && at <= 3 && p.spans[at - 1].x > s.range.x) {
    p.spans[at] = p.spans[at - 1];
    --at;
  }
  if (at < 4)
    p.spans[at] = s.range;
  p.count = min(p.count + 1, 4u);
  IgnoreHit();
}

[shader("anyhit")]
void First(inout Payload p, Span s) {
  p.spans[0] = s.range;
  p.count = 1;
  AcceptHitAndEndSearch();
}

[shader("intersection")]
void Cloud() {
  float3 o = ObjectRayOrigin(), inverse = 1 / (ObjectRayDirection() + 1e-5f);
  float3 a = (-1 - o) * inverse, b = (1 - o) * inverse, low = min(a, b), high = max(a, b);
  Span s;
  s.range = float2(max(max(low.x, low.y), max(low.z, RayTMin())), min(min(high.x, high.y), high.z));
  if (s.range.x < s.range.y)
    ReportHit(s.range.x, 0, s);
}

[shader("intersection")]
void Steps() {
  float t = RayTMin(), far = RayTCurrent();
  for (uint i = 0; i < 32 && t < far; ++i) {
    float d = Density[(i * 7 + InstanceIndex()) & 63];
    if (d > 0.75f) {
      Span s = {float2(t, t + d)};
      if (ReportHit(t, 1, s))
        return;
    }
    t += 0.125f + saturate(0.5f - d);
  }
}

[shader("callable")]
void Phase(inout Payload p) {
  float g = 0.6f, c = p.spans[0].x;
  p.through *= (1 - g * g) / pow(abs(1 + g * g - 2 * g * c), 1.5f) * 0.07957747f;
}
