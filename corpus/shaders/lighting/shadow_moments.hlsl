// trellis.variance: ps_6_0 main
// trellis.exponential: ps_6_0 main -DEXPONENTIAL
// trellis.four: ps_6_0 main -DFOUR
// Shadow maps that can be filtered: two moments, exponentials, four moments.
Texture2D<float4> Map : register(t0);
SamplerState Linear : register(s0);
cbuffer Bias { float Bleed; float Power; };

float bound(float2 m, float d) {
  if (d <= m.x)
    return 1;
  float variance = max(m.y - m.x * m.x, 1e-4f), t = d - m.x;
  return saturate((variance / (variance + t * t) - Bleed) / max(1 - Bleed, 0.1f));
}

float4 main(float3 place : PLACE) : SV_Target {
  float4 m = Map.Sample(Linear, place.xy);
  float d = place.z;
#if defined(EXPONENTIAL)
  float up = exp(min(Power, 8) * d), down = -exp(-min(Power, 8) * d);
  return min(bound(m.xy, up), bound(m.zw, down));
#elif defined(FOUR)
  float4 b = lerp(m, 0.5f, 3e-4f);
  float l32 = b.z - b.x * b.y, d22 = max(b.y - b.x * b.x, 1e-4f), q = l32 / d22;
  float3 z = float3(d, 0, 0);
  float3 c = float3(1, d, d * d);
  c.y -= b.x;
  c.z -= b.y + q * c.y;
  c.y /= d22;
  c.z /= max(b.w - b.y * b.y - l32 * q, 1e-4f);
  c.y -= q * c.z;
  c.x -= dot(c.yz, b.xy);
  float p = c.y / c.z, r = max(p * p * 0.25f - c.x / c.z, 0);
  z.y = -0.5f * p - sqrt(r);
  z.z = -0.5f * p + sqrt(r);
  float4 pick = z.z < z.x ? float4(z.y, z.x, 1, 1) : z.y < z.x ? float4(z.x, z.y, 0, 1) : 0;
  float area = (pick.x * z.z - b.x * (pick.x + z.z) + b.y) / max(abs((z.z - pick.y) * (z.x - z.y)), 1e-4f);
  return saturate(1 - pick.z - pick.w * area);
#else
  return bound(m.xy, d);
#endif
}
