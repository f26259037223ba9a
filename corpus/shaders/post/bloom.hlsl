// trellis.bright: ps_6_0 bright
// trellis.down: ps_6_0 down
// trellis.up: ps_6_0 up
// trellis.streak: ps_6_0 streak
// The passes of bloom: a soft threshold, thirteen taps down, a tent up, and streaks.
Texture2D<float4> In : register(t0);
Texture2D<float4> Wide : register(t1);
SamplerState Linear : register(s0);
cbuffer Bloom { float2 Texel; float Threshold; float Knee; float Strength; };

float4 bright(float2 uv : UV) : SV_Target {
  float4 c = In.Sample(Linear, uv);
  float most = max(c.r, max(c.g, c.b)), soft = clamp(most - Threshold + Knee, 0, 2 * Knee);
  soft = soft * soft / (4 * Knee + 1e-4f);
  return c * max(soft, most - Threshold) / max(most, 1e-4f);
}

float4 down(float2 uv : UV) : SV_Target {
  float4 sum = In.Sample(Linear, uv) * 0.125f;
  [unroll]
  for (int i = 0; i < 4; ++i) {
    float2 s = float2(i & 1, i >> 1) * 2 - 1;
    sum += In.Sample(Linear, uv + s * Texel) * 0.125f + In.Sample(Linear, uv + s * 2 * Texel) * 0.03125f;
    sum += In.Sample(Linear, uv + (i < 2 ? float2(s.x, 0) : float2(0, s.x)) * 2 * Texel) * 0.0625f;
  }
  return sum;
}

float4 up(float2 uv : UV) : SV_Target {
  float4 sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += In.Sample(Linear, uv + float2(x, y) * Texel) * ((2 - abs(x)) * (2 - abs(y)) / 16.0f);
  return lerp(Wide.Sample(Linear, uv), sum, Strength);
}

float4 streak(float2 uv : UV) : SV_Target {
  float4 sum = 0;
  float w = 1;
  for (uint i = 0; i < 6; ++i, w *= 0.8f)
    sum += (In.SampleLevel(Linear, uv + float2(Texel.x * i, 0), 0) + In.SampleLevel(Linear, uv - float2(Texel.x * i, 0), 0)) * w;
  return sum * 0.15f;
}
