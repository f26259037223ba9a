// trellis: ps_6_0 main
// trellis.outline: ps_6_0 main -DOUTLINE
// Letters from three channels of distances, as sharp as the screen.
Texture2D<float4> Atlas : register(t0);
SamplerState Linear : register(s0);
cbuffer Style { float4 Ink; float4 Edge; float Range; float Width; };

float4 main(float2 uv : UV) : SV_Target {
  float3 d = Atlas.Sample(Linear, uv).rgb;
  float middle = max(min(d.r, d.g), min(max(d.r, d.g), d.b));
  float scale = Range / max(fwidth(uv.x) + fwidth(uv.y), 1e-4f) * 0.01f;
  float inside = saturate((middle - 0.5f) * scale + 0.5f);
#ifdef OUTLINE
  float outer = saturate((middle - 0.5f + Width) * scale + 0.5f);
  return lerp(Edge * outer, Ink, inside);
#else
  return Ink * inside;
#endif
}
