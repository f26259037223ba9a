// trellis.nearby: ps_6_0 main -DNEARBY
// trellis.disc: ps_6_0 main -DDISC
// trellis.soft: ps_6_0 main -DSOFT
// trellis.gather: ps_6_0 main -DGATHER
// trellis.sm67: ps_6_7 main -DNEARBY
// Shadow maps: nearby texels, a turned disc, a width by the blocker's depth, gathered comparisons.
Texture2D<float> Map : register(t0);
SamplerComparisonState Compare : register(s0);
SamplerState Point : register(s1);
cbuffer Shadow { float Size; float LightSize; };
static const float2 Disc[8] = {float2(-0.6f, 0.2f), float2(0.1f, -0.7f), float2(0.5f, 0.4f), float2(-0.2f, 0.8f),
                               float2(0.9f, -0.1f), float2(-0.8f, -0.5f), float2(0.4f, -0.4f), float2(0, 0.1f)};

float noise(float2 p) { return frac(52.9829f * frac(dot(p, float2(0.06711f, 0.00584f)))); }

float4 main(float4 at : SV_Position, float3 place : PLACE) : SV_Target {
  float2 uv = place.xy;
  float lit = 0;
#if defined(NEARBY)
  [unroll]
  for (int y = -1; y <= 1; ++y)
    [unroll]
    for (int x = -1; x <= 1; ++x)
      lit += Map.SampleCmpLevelZero(Compare, uv, place.z, int2(x, y));
  lit /= 9;
#elif defined(GATHER)
  float4 w = Map.GatherCmp(Compare, uv, place.z);
  float2 part = frac(uv * Size - 0.5f);
  lit = lerp(lerp(w.w, w.z, part.x), lerp(w.x, w.y, part.x), part.y);
#else
  float s, c;
  sincos(noise(at.xy) * 6.2831853f, s, c);
  float width = 1 / max(Size, 1);
#ifdef SOFT
  float blockers = 0, count = 0;
  for (uint b = 0; b < 8; ++b) {
    float d = Map.SampleLevel(Point, uv + Disc[b] * LightSize * 0.1f, 0);
    if (d < place.z) {
      blockers += d;
      ++count;
    }
  }
  if (count == 0)
    return 1;
  width *= 1 + (place.z - blockers / count) * LightSize * 8;
#endif
  for (uint i = 0; i < 8; ++i)
    lit += Map.SampleCmpLevelZero(Compare, uv + mul(float2x2(c, -s, s, c), Disc[i]) * width, place.z);
  lit /= 8;
#endif
  return lit;
}
