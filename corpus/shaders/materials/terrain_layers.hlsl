// trellis: ps_6_0 main
// trellis.triplanar: ps_6_0 main -DTRIPLANAR
// trellis.height: ps_6_0 main -DHEIGHT
// Layers of ground by weights, projected along three axes, or blended by their heights.
Texture2DArray<float4> Layers : register(t0);
Texture2D<float4> Weights : register(t1);
SamplerState Linear : register(s0);

float4 layer(uint i, float3 p, float3 n) {
#ifdef TRIPLANAR
  float3 w = pow(abs(n), 4);
  w /= w.x + w.y + w.z;
  float4 c = 0;
  if (w.x > 0.05f) c += w.x * Layers.SampleLevel(Linear, float3(p.yz, i), 0);
  if (w.y > 0.05f) c += w.y * Layers.SampleLevel(Linear, float3(p.zx, i), 0);
  if (w.z > 0.05f) c += w.z * Layers.SampleLevel(Linear, float3(p.xy, i), 0);
  return c;
#else
  return Layers.Sample(Linear, float3(p.xz, i));
#endif
}

float4 main(float3 p : PLACE, float3 n : NORMAL, float2 uv : UV) : SV_Target {
  float4 w = Weights.Sample(Linear, uv);
  float4 c[4];
  [unroll]
  for (uint i = 0; i < 4; ++i)
    c[i] = layer(i, p, n);
#ifdef HEIGHT
  float4 h = float4(c[0].a, c[1].a, c[2].a, c[3].a) + w;
  float most = max(max(h.x, h.y), max(h.z, h.w)) - 0.2f;
  w = max(h - most, 0);
#endif
  float4 sum = 0;
  for (uint j = 0; j < 4; ++j)
    sum += c[j] * w[j];
  return sum / max(dot(w, 1), 1e-3f);
}
