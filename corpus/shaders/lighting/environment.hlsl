// trellis.diffuse: ps_6_0 diffuse
// trellis.specular: ps_6_0 specular
// trellis.table: ps_6_0 table
// trellis.harmonics: ps_6_0 harmonics
// trellis.panorama: ps_6_0 panorama
// Light of an environment: integrals over a cube map, the table of two factors, harmonics, a panorama.
TextureCube<float4> Sky : register(t0);
Texture2D<float4> Round : register(t1);
SamplerState Linear : register(s0);
cbuffer Pass { float Rough; float4 Bands[9]; };

float2 point_(uint i, uint count) { return float2((float)i / count, reversebits(i) * 2.3283064e-10f); }

float3 frame(float3 v, float3 n) {
  float3 up = abs(n.z) < 0.999f ? float3(0, 0, 1) : float3(1, 0, 0);
  float3 x = normalize(cross(up, n));
  return v.x * x + v.y * cross(n, x) + v.z * n;
}

float3 facet(float2 u, float a) {
  float c = sqrt((1 - u.y) / (1 + (a * a - 1) * u.y)), s = sqrt(saturate(1 - c * c));
  return float3(cos(6.2831853f * u.x) * s, sin(6.2831853f * u.x) * s, c);
}

float4 diffuse(float3 n : NORMAL) : SV_Target {
  n = normalize(n);
  float3 sum = 0;
  for (uint i = 0; i < 16; ++i) {
    float2 u = point_(i, 16);
    float s = sqrt(u.y);
    sum += Sky.SampleLevel(Linear, frame(float3(cos(u.x * 6.2831853f) * s, sin(u.x * 6.2831853f) * s, sqrt(1 - u.y)), n), 2).rgb;
  }
  return float4(sum / 16, 1);
}

float4 specular(float3 n : NORMAL) : SV_Target {
  n = normalize(n);
  float4 sum = 0;
  for (uint i = 0; i < 16; ++i) {
    float3 h = frame(facet(point_(i, 16), Rough * Rough), n);
    float3 l = reflect(-n, h);
    float nl = dot(n, l);
    if (nl > 0)
      sum += float4(Sky.SampleLevel(Linear, l, Rough * 4).rgb, 1) * nl;
  }
  return sum / max(sum.a, 1e-3f);
}

float2 table(float2 uv : UV) : SV_Target {
  float3 v = float3(sqrt(saturate(1 - uv.x * uv.x)), 0, uv.x);
  float a = uv.y * uv.y, k = a / 2;
  float2 sum = 0;
  for (uint i = 0; i < 16; ++i) {
    float3 h = facet(point_(i, 16), a), l = 2 * dot(v, h) * h - v;
    if (l.z <= 0)
      continue;
    float vh = saturate(dot(v, h)), f = pow(1 - vh, 5);
    float g = l.z / (l.z * (1 - k) + k) * uv.x / (uv.x * (1 - k) + k) * vh / max(h.z * uv.x, 1e-3f);
    sum += float2(1 - f, f) * g;
  }
  return sum / 16;
}

float4 harmonics(float3 n : NORMAL) : SV_Target {
  n = normalize(n);
  float basis[9] = {0.282095f, 0.488603f * n.y, 0.488603f * n.z, 0.488603f * n.x, 1.092548f * n.x * n.y, 1.092548f * n.y * n.z,
                    0.315392f * (3 * n.z * n.z - 1), 1.092548f * n.x * n.z, 0.546274f * (n.x * n.x - n.y * n.y)};
  float4 sum = 0;
  for (uint i = 0; i < 9; ++i)
    sum += Bands[i] * basis[i];
  return max(sum, 0);
}

float4 panorama(float3 n : NORMAL) : SV_Target {
  n = normalize(n);
  return Round.SampleLevel(Linear, float2(atan2(n.z, n.x) * 0.15915494f + 0.5f, acos(n.y) * 0.31830989f), 0);
}
