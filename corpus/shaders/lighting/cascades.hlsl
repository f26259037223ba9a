// trellis: ps_6_0 main
// trellis.blend: ps_6_0 main -DBLEND
// Cascaded shadows: the first cascade that holds the point, with a blend to the next one.
Texture2DArray<float> Maps : register(t0);
SamplerComparisonState Compare : register(s0);
cbuffer Cascades { float4x4 Views[4]; float Edge; };

float4 main(float3 place : PLACE, float3 normal : NORMAL) : SV_Target {
  for (uint i = 0; i < 4; ++i) {
    float3 p = mul(Views[i], float4(place + normal * 0.01f * (i + 1), 1)).xyz;
    if (any(abs(p - 0.5f) > 0.5f))
      continue;
    float lit = Maps.SampleCmpLevelZero(Compare, float3(p.xy, i), p.z);
#ifdef BLEND
    float2 rim = 0.5f - abs(p.xy - 0.5f);
    float w = saturate(min(rim.x, rim.y) / max(Edge, 0.01f));
    if (w < 1 && i < 3) {
      float3 q = mul(Views[i + 1], float4(place, 1)).xyz;
      lit = lerp(Maps.SampleCmpLevelZero(Compare, float3(q.xy, i + 1), q.z), lit, w);
    }
#endif
    return float4(lit.xxx, i);
  }
  return 1;
}
