// trellis.shapes: ps_6_0 main -DFIELD=shapes
// trellis.fractal: ps_6_0 main -DFIELD=fractal
// trellis.blobs: ps_6_0 main -DFIELD=blobs
// trellis.sm66: ps_6_6 main -DFIELD=shapes
// A picture of a field of distances: rays by steps, normals by differences, soft shadows.
cbuffer View { float3 Eye; float Time; };

float shapes(float3 p) {
  float floor_ = p.y + 1;
  float3 q = abs(p - float3(-1.2f, 0, 0)) - 0.6f;
  float box = length(max(q, 0)) + min(max(q.x, max(q.y, q.z)), 0) - 0.1f;
  float2 ring = float2(length(p.xz - float2(1.2f, 0)) - 0.6f, p.y);
  return min(floor_, min(box, length(ring) - 0.2f));
}

float fractal(float3 p) {
  float scale = 1;
  for (uint i = 0; i < 5; ++i) {
    p = abs(p);
    if (p.x < p.y) p.xy = p.yx;
    if (p.x < p.z) p.xz = p.zx;
    if (p.y < p.z) p.yz = p.zy;
    p = p * 3 - float3(2, 2, 0);
    if (p.z > 1) p.z = 2 - p.z;
    scale *= 3;
  }
  return (length(p) - 1.5f) / scale;
}

float blobs(float3 p) {
  float d = 10;
  for (uint i = 0; i < 4; ++i) {
    float s = length(p - float3(sin(Time + i), cos(Time * 0.7f + i * 2), sin(i * 3.0f))) - 0.5f;
    float h = saturate(0.5f + (d - s));
    d = lerp(d, s, h) - 0.5f * h * (1 - h);
  }
  return d;
}

float4 main(float3 way : WAY) : SV_Target {
  float3 d = normalize(way);
  float t = 0;
  uint i = 0;
  [loop]
  for (; i < 48; ++i) {
    float h = FIELD(Eye + d * t);
    if (h < 0.001f * t || t > 20)
      break;
    t += h;
  }
  if (t > 20)
    return 0.1f;
  float3 p = Eye + d * t;
  const float2 e = float2(0.01f, -0.01f);
  float3 n = normalize(e.xyy * FIELD(p + e.xyy) + e.yyx * FIELD(p + e.yyx) + e.yxy * FIELD(p + e.yxy) + e.xxx * FIELD(p + e.xxx));
  float lit = 1;
  for (float s = 0.05f; s < 2; s += 0.2f) {
    float h = FIELD(p + float3(0.577f, 0.577f, -0.577f) * s);
    lit = min(lit, saturate(8 * h / s));
    if (lit < 0.01f)
      break;
  }
  return float4(saturate(dot(n, float3(0.577f, 0.577f, -0.577f))) * lit + 0.1f * (1 - i / 48.0f).xxx, 1);
}
