// trellis: ps_6_0 main
// trellis.hatching: ps_6_0 main -DHATCHING
// Steps of light, a rim, and lines of hatching by brightness.
cbuffer Toon { float3 Sun; uint Steps; float4 Light; float4 Dark; };

float4 main(float4 at : SV_Position, float3 n : NORMAL, float3 view : VIEW, bool front : SV_IsFrontFace) : SV_Target {
  n = normalize(front ? n : -n);
  float lit = saturate(dot(n, Sun)), count = max(Steps & 7, 1u);
  float4 c = lerp(Dark, Light, floor(lit * count) / count);
  if (1 - saturate(dot(n, normalize(view))) > 0.8f)
    c = 1;
#ifdef HATCHING
  uint2 p = (uint2)at.xy;
  if (lit < 0.75f && (p.x + p.y) % 4 == 0) c *= 0.5f;
  if (lit < 0.5f && (p.x + 3 * p.y) % 4 == 0) c *= 0.5f;
  if (lit < 0.25f && (p.x & 1) == 0) discard;
#endif
  return c;
}
