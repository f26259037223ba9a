// trellis: ps_6_0 main
// trellis.dual: ps_6_0 main -DDUAL
// Strands of hair: highlights along the tangent, shifted by a texture.
Texture2D<float> Shift : register(t0);
SamplerState Linear : register(s0);
cbuffer Hair { float3 Sun; float4 Tint; float2 Shifts; float2 Powers; };

float strand(float3 t, float3 h, float power) {
  float th = dot(t, h);
  return smoothstep(-1.0f, 0.0f, th) * pow(sqrt(saturate(1 - th * th)), power);
}

float4 main(float2 uv : UV, float3 t : TANGENT, float3 n : NORMAL, float3 view : VIEW) : SV_Target {
  float shift = Shift.Sample(Linear, uv) - 0.5f;
  float3 h = normalize(Sun + normalize(view));
  float3 c = Tint.rgb * saturate(lerp(0.25f, 1, dot(n, Sun)));
  c += strand(normalize(t + n * (shift + Shifts.x)), h, Powers.x);
#ifdef DUAL
  c += Tint.rgb * strand(normalize(t + n * (shift + Shifts.y)), h, Powers.y);
#endif
  return float4(c, Tint.a);
}
