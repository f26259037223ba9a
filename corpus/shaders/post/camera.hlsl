// trellis.grain: ps_6_0 grain
// trellis.lens: ps_6_0 lens
// trellis.sharpen: ps_6_0 sharpen
// trellis.dither: ps_6_0 dither
// trellis.halves: ps_6_2 sharpen -enable-16bit-types -DFOUR=half4
// What a camera adds: grain, vignette, dispersion, distortion, sharpness by contrast, ordered dither.
#ifndef FOUR
#define FOUR float4
#endif
Texture2D<FOUR> In : register(t0);
SamplerState Linear : register(s0);
cbuffer Camera { float Time; float Amount; };

float hash(float2 p) { return frac(sin(dot(p, float2(12.9898f, 78.233f))) * 43758.5453f); }

float4 grain(float4 at : SV_Position, float2 uv : UV) : SV_Target {
  float4 c = (float4)In.Sample(Linear, uv);
  float light = dot(c.rgb, 0.3333f);
  c.rgb += (hash(floor(at.xy) + frac(Time)) - 0.5f) * 0.1f * (1 - light);
  float2 d = uv - 0.5f;
  return c * (1 - smoothstep(0.3f, 0.8f, dot(d, d) * 2));
}

float4 lens(float2 uv : UV) : SV_Target {
  float2 d = uv * 2 - 1;
  float far = dot(d, d);
  float3 c;
  [unroll]
  for (int i = 0; i < 3; ++i) {
    float2 p = d * (1 + far * 0.1f * (1 + Amount * i * 0.1f)) * 0.5f + 0.5f;
    c[i] = any(p != saturate(p)) ? 0 : (float)In.SampleLevel(Linear, p, 0)[i];
  }
  return float4(c, 1);
}

float4 sharpen(float4 at : SV_Position) : SV_Target {
  int3 p = int3((int2)at.xy, 0);
  FOUR m = In.Load(p), n = In.Load(p, int2(0, -1)), s = In.Load(p, int2(0, 1)), w = In.Load(p, int2(-1, 0)), e = In.Load(p, int2(1, 0));
  FOUR low = min(m, min(min(n, s), min(w, e))), high = max(m, max(max(n, s), max(w, e)));
  FOUR gain = sqrt(saturate(min(low, 2 - high) / max(high, (FOUR)0.01f))) * (FOUR)(-1.0f / lerp(8.0f, 5.0f, saturate(Amount)));
  return (float4)saturate(((n + s + w + e) * gain + m) / (1 + 4 * gain));
}

float4 dither(float4 at : SV_Position, float2 uv : UV) : SV_Target {
  uint2 p = (uint2)at.xy;
  uint x = p.x ^ p.y, y = p.y;
  uint rank = (x & 1) << 5 | (y & 1) << 4 | (x & 2) << 2 | (y & 2) << 1 | (x & 4) >> 1 | (y & 4) >> 2;
  return floor((float4)In.Sample(Linear, uv) * 7 + (rank + 0.5f) / 64) / 7;
}
