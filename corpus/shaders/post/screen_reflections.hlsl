// trellis: ps_6_0 main
// trellis.linear: ps_6_0 main -DLINEAR
// Reflections by steps through the depth buffer: in a pyramid of its minima, or with equal steps and bisection.
Texture2D<float> Depth : register(t0);
Texture2D<float4> Scene : register(t1);
Texture2D<float4> Normal : register(t2);
SamplerState Point : register(s0);
cbuffer View { float2 Size; float Thick; };

float4 main(float4 at : SV_Position, float2 uv : UV, float3 view : VIEW) : SV_Target {
  float3 n = normalize(Normal.SampleLevel(Point, uv, 0).xyz * 2 - 1);
  float3 way = reflect(normalize(view), n), p = float3(uv, Depth.SampleLevel(Point, uv, 0));
  way.xy *= 0.5f;
  if (way.z <= 0.001f)
    return 0;
#ifdef LINEAR
  float3 step_ = way / 16;
  bool hit = false;
  for (uint i = 0; i < 16; ++i) {
    p += step_;
    float behind = p.z - Depth.SampleLevel(Point, p.xy, 0);
    if (behind > 0 && behind < Thick + 0.1f) {
      hit = true;
      break;
    }
  }
  for (uint j = 0; j < 4 && hit; ++j) {
    step_ *= 0.5f;
    p += p.z > Depth.SampleLevel(Point, p.xy, 0) ? -step_ : step_;
  }
#else
  int level = 0;
  bool hit = false;
  for (uint i = 0; i < 32 && level >= 0; ++i) {
    float2 cells = max(Size / exp2((float)level), 1);
    float2 cell = floor(p.xy * cells);
    float2 edge = (cell + step(0, way.xy)) / cells;
    float2 t = (edge - p.xy) / select(abs(way.xy) < 1e-4f, 1e-4f, way.xy);
    float z = Depth.SampleLevel(Point, (cell + 0.5f) / cells, level);
    float cross_ = min(t.x, t.y) + 1e-4f;
    if (p.z + way.z * cross_ < z) {
      p += way * cross_;
      level = min(level + 1, 3);
    } else {
      p += way * max((z - p.z) / way.z, 0);
      --level;
    }
    if (any(p.xy != saturate(p.xy)))
      break;
    hit = level < 0;
  }
#endif
  float2 rim = saturate(min(p.xy, 1 - p.xy) * 8);
  return hit ? float4(Scene.SampleLevel(Point, p.xy, 0).rgb, rim.x * rim.y) : 0;
}
