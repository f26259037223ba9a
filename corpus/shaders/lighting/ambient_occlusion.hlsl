// trellis.sphere: ps_6_0 main
// trellis.horizon: ps_6_0 main -DHORIZON
// trellis.blur: ps_6_0 blur
// Ambient occlusion of the screen: points in a half sphere, or horizons along lines, and a blur.
Texture2D<float> Depth : register(t0);
Texture2D<float> Raw : register(t1);
SamplerState Clamp : register(s0);
cbuffer View { float2 Tan; float Radius; float Near; };

float3 placeAt(float2 uv) {
  float z = Near / max(Depth.SampleLevel(Clamp, uv, 0), 1e-3f);
  return float3((uv * 2 - 1) * Tan * z, z);
}

float4 main(float4 at : SV_Position, float2 uv : UV) : SV_Target {
  float3 p = placeAt(uv);
  float3 n = normalize(cross(ddy(p), ddx(p)) + float3(0, 0, -1e-5f));
  float turn = frac(52.9829f * frac(dot(at.xy, float2(0.06711f, 0.00584f)))) * 6.2831f;
  float sum = 0;
#ifdef HORIZON
  for (uint s = 0; s < 2; ++s) {
    float2 way;
    sincos(turn + s * 1.5708f, way.y, way.x);
    float2 horizon = -1;
    [unroll]
    for (int side = 0; side < 2; ++side) {
      for (uint i = 1; i <= 4; ++i) {
        float3 d = placeAt(uv + way * (side * 2 - 1) * Radius * i * 0.02f) - p;
        float far = length(d) + 1e-4f;
        if (far > Radius * 4 + 1)
          break;
        horizon[side] = max(horizon[side], dot(d / far, float3(0, 0, -1)));
      }
    }
    sum += (2 - acos(clamp(horizon.x, -1, 1)) - acos(clamp(horizon.y, -1, 1))) * 0.25f;
  }
  return saturate(1 + sum);
#else
  for (uint i = 0; i < 8; ++i) {
    float a = turn + i * 2.3999632f, h = (i + 0.5f) / 8;
    float3 v = float3(cos(a) * sqrt(1 - h * h), sin(a) * sqrt(1 - h * h), h) * h;
    v *= dot(v, n) < 0 ? -1 : 1;
    float3 q = p + v * Radius;
    float z = placeAt(q.xy / (q.z * Tan + 1e-3f) * 0.5f + 0.5f).z;
    sum += z < q.z - 0.02f && q.z - z < Radius * 2 ? 1 : 0;
  }
  return 1 - sum / 8;
#endif
}

float4 blur(float4 at : SV_Position) : SV_Target {
  int2 p = (int2)at.xy;
  float here = Depth.Load(int3(p, 0)), sum = 0, total = 0;
  for (int y = -2; y <= 1; ++y)
    for (int x = -2; x <= 1; ++x) {
      int3 q = int3(max(p + int2(x, y), 0), 0);
      float w = exp2(-64 * abs(Depth.Load(q) - here));
      sum += Raw.Load(q) * w;
      total += w;
    }
  return sum / total;
}
