// trellis.circle: ps_6_0 circle
// trellis.gather: ps_6_0 gather_
// trellis.motion: ps_6_0 motion
// Blur by distance from the focus, on a spiral; and blur along motion.
Texture2D<float4> In : register(t0);
Texture2D<float> Depth : register(t1);
Texture2D<float2> Motion : register(t2);
SamplerState Clamp : register(s0);
cbuffer Lens { float Focus; float Aperture; float2 Texel; };

float sizeAt(float2 uv) { return clamp((Depth.SampleLevel(Clamp, uv, 0) - Focus) * Aperture, -1, 1); }

float4 circle(float2 uv : UV) : SV_Target { return float4(In.Sample(Clamp, uv).rgb, sizeAt(uv)); }

float4 gather_(float2 uv : UV) : SV_Target {
  float here = abs(sizeAt(uv));
  float4 sum = float4(In.SampleLevel(Clamp, uv, 0).rgb, 1);
  for (float r = 0.5f, a = 0; r < 6; a += 2.3999632f, r += 0.5f / r) {
    float2 p = uv + float2(cos(a), sin(a)) * r * Texel;
    float there = abs(sizeAt(p)) * 6;
    if (there < r && here * 6 < r)
      continue;
    sum += float4(In.SampleLevel(Clamp, p, 0).rgb, 1) * smoothstep(r - 0.5f, r + 0.5f, max(there, here));
  }
  return sum / sum.a;
}

float4 motion(float4 at : SV_Position, float2 uv : UV) : SV_Target {
  float2 way = Motion.SampleLevel(Clamp, uv, 0);
  uint steps = (uint)clamp(length(way / Texel), 1, 8);
  float4 sum = 0;
  for (uint i = 0; i < steps; ++i)
    sum += In.SampleLevel(Clamp, uv + way * ((i + 0.5f) / steps - 0.5f), 0);
  return sum / steps;
}
