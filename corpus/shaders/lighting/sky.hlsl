// trellis: ps_6_0 main
// trellis.clouds: ps_6_0 main -DCLOUDS
// trellis.fog: ps_6_0 fog
// The sky: scattering along two rays, clouds by steps through noise, fog by height.
cbuffer Sky { float3 Sun; float Time; float4 Fog; };

float2 sphere(float3 o, float3 d, float r) {
  float b = dot(o, d), c = dot(o, o) - r * r, h = b * b - c;
  if (h < 0)
    return float2(1e5f, -1e5f);
  h = sqrt(h);
  return float2(-b - h, -b + h);
}

float noise(float3 p) {
  float3 i = floor(p), f = frac(p);
  f = f * f * (3 - 2 * f);
  float n = dot(i, float3(1, 57, 113));
  float4 low = frac(sin(n + float4(0, 1, 57, 58)) * 43758.5453f), high = frac(sin(n + float4(113, 114, 170, 171)) * 43758.5453f);
  float4 z = lerp(low, high, f.z);
  float2 y = lerp(z.xy, z.zw, f.y);
  return lerp(y.x, y.y, f.x);
}

float4 main(float3 way : WAY) : SV_Target {
  float3 d = normalize(way), o = float3(0, 6371, 0);
  float end = sphere(o, d, 6471).y, ground = sphere(o, d, 6370).x;
  if (ground > 0)
    end = min(end, ground);
  float3 sum = 0;
  float depth = 0, step_ = end / 8;
  for (uint i = 0; i < 8; ++i) {
    float3 p = o + d * (i + 0.5f) * step_;
    float thick = exp(-(length(p) - 6371) / 8) * step_;
    depth += thick;
    float toSun = sphere(p, Sun, 6471).y / 4, shade = 0;
    for (uint j = 0; j < 4; ++j) {
      float h = length(p + Sun * (j + 0.5f) * toSun) - 6371;
      if (h < 0) {
        shade = 1e5f;
        break;
      }
      shade += exp(-h / 8) * toSun;
    }
    sum += exp(-float3(0.0058f, 0.0135f, 0.0331f) * (depth + shade)) * thick;
  }
  float m = dot(d, Sun);
  float3 c = sum * float3(0.0058f, 0.0135f, 0.0331f) * 0.0597f * (1 + m * m) * 20;
#ifdef CLOUDS
  float through = 1, light = 0;
  [loop]
  for (uint k = 0; k < 12 && d.y > 0.05f; ++k) {
    float3 p = d * (4 + k * 0.25f) / d.y + float3(Time, 0, 0);
    float dense = noise(p) + 0.5f * noise(p * 2) - 0.8f;
    if (dense <= 0)
      continue;
    light += through * dense * exp(-2 * max(noise(p + Sun) - 0.5f, 0)) * 0.25f;
    through *= exp(-dense * 0.25f);
    if (through < 0.05f)
      break;
  }
  c = c * through + light;
#endif
  return float4(c, 1);
}

float4 fog(float3 from : EYE, float3 to : PLACE, float4 color : COLOR) : SV_Target {
  float3 d = to - from;
  float far = length(d), slope = d.y / far * Fog.w;
  float thick = exp(-from.y * Fog.w) * (abs(slope) > 1e-3f ? (1 - exp(-far * slope)) / slope : far);
  return lerp(color, float4(Fog.rgb, 1), 1 - exp(-max(thick, 0)));
}
