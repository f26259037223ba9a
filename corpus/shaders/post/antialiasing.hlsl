// trellis.edges: ps_6_0 edges
// trellis.blend: ps_6_0 blend
// trellis.temporal: ps_6_0 temporal
// trellis.resolve: ps_6_0 resolve
// Antialiasing: edges by luminance, a search along them, history clamped to its neighbourhood, samples.
Texture2D<float4> In : register(t0);
Texture2D<float4> Before : register(t1);
Texture2D<float2> Motion : register(t2);
Texture2DMS<float4, 4> Samples : register(t3);
SamplerState Linear : register(s0);
cbuffer Size { float2 Texel; };

float light(float2 uv) { return dot(In.SampleLevel(Linear, uv, 0).rgb, float3(0.299f, 0.587f, 0.114f)); }

float2 edges(float2 uv : UV) : SV_Target {
  float here = light(uv);
  float2 d = abs(here - float2(light(uv - float2(Texel.x, 0)), light(uv - float2(0, Texel.y))));
  float2 e = step(0.1f, d);
  if (dot(e, 1) == 0)
    discard;
  float2 far = abs(here - float2(light(uv + float2(Texel.x, 0)), light(uv + float2(0, Texel.y))));
  return e * step(max(far.x, far.y) * 0.5f, d);
}

float4 blend(float2 uv : UV) : SV_Target {
  float m = light(uv), n = light(uv - float2(0, Texel.y)), s = light(uv + float2(0, Texel.y)), w = light(uv - float2(Texel.x, 0)),
        e = light(uv + float2(Texel.x, 0));
  float most = max(m, max(max(n, s), max(w, e))), least = min(m, min(min(n, s), min(w, e)));
  if (most - least < max(0.03f, most * 0.125f))
    return In.SampleLevel(Linear, uv, 0);
  bool flat = abs(n + s - 2 * m) >= abs(e + w - 2 * m);
  float2 along = flat ? float2(Texel.x, 0) : float2(0, Texel.y), across = flat ? float2(0, Texel.y) : float2(Texel.x, 0);
  float a = flat ? n : w, b = flat ? s : e;
  if (abs(a - m) > abs(b - m)) {
    across = -across;
    b = a;
  }
  float edge = (b + m) * 0.5f, limit = abs(b - m) * 0.25f;
  float2 p = uv + across * 0.5f, q = p;
  float left = 0, right = 0;
  bool stopP = false, stopQ = false;
  [loop]
  for (uint i = 0; i < 8; ++i) {
    if (!stopP) {
      p -= along;
      left = light(p) - edge;
      stopP = abs(left) >= limit;
    }
    if (!stopQ) {
      q += along;
      right = light(q) - edge;
      stopQ = abs(right) >= limit;
    }
    if (stopP && stopQ)
      break;
  }
  float dp = length(uv - p), dq = length(q - uv);
  bool bends = ((dp < dq ? left : right) < 0) != (m - edge < 0);
  float shift = bends ? 0.5f - min(dp, dq) / max(dp + dq, 1e-5f) : 0;
  return In.SampleLevel(Linear, uv + across * shift, 0);
}

float4 temporal(float4 at : SV_Position, float2 uv : UV) : SV_Target {
  float3 sum = 0, square = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      float3 c = In.Load(int3(max((int2)at.xy + int2(x, y), 0), 0)).rgb;
      sum += c;
      square += c * c;
    }
  float3 mean = sum / 9, width = sqrt(max(square / 9 - mean * mean, 0)) * 1.25f;
  float2 from = uv - Motion.SampleLevel(Linear, uv, 0);
  float3 now = In.SampleLevel(Linear, uv, 0).rgb;
  if (any(from != saturate(from)))
    return float4(now, 1);
  float3 old = Before.SampleLevel(Linear, from, 0).rgb, d = old - mean, unit = abs(d) / max(width, 1e-3f);
  float most = max(unit.x, max(unit.y, unit.z));
  return float4(lerp(most > 1 ? mean + d / most : old, now, 0.1f), 1);
}

float4 resolve(float4 at : SV_Position) : SV_Target {
  float4 sum = 0;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float4 c = Samples.Load((int2)at.xy, i);
    sum += float4(c.rgb, 1) / (1 + max(c.r, max(c.g, c.b)));
  }
  return sum / sum.a;
}
