// trellis: ps_6_0 main
// trellis.shadow: ps_6_0 main -DSHADOW
// Relief by steps along the view ray in a height map, then by bisection.
Texture2D<float> Height : register(t0);
Texture2D<float4> Base : register(t1);
SamplerState Linear : register(s0);
cbuffer Relief { float Depth; float3 Sun; };

float4 main(float2 uv : UV, float3 view : VIEW) : SV_Target {
  float2 dx = ddx(uv), dy = ddy(uv);
  float3 v = normalize(view + float3(0, 0, 0.01f));
  uint steps = (uint)lerp(24.0f, 8.0f, saturate(v.z));
  float2 move = v.xy / max(v.z, 0.2f) * Depth / steps;
  float layer = 1, below = 1.0f / steps;
  float2 p = uv;
  float h = Height.SampleGrad(Linear, p, dx, dy);
  [loop]
  for (uint i = 0; i < steps; ++i) {
    if (h >= layer)
      break;
    layer -= below;
    p -= move;
    h = Height.SampleGrad(Linear, p, dx, dy);
  }
  [unroll]
  for (uint j = 0; j < 4; ++j) {
    move *= 0.5f;
    below *= 0.5f;
    bool inside = h >= layer;
    p += inside ? move : -move;
    layer += inside ? below : -below;
    h = Height.SampleGrad(Linear, p, dx, dy);
  }
  float4 c = Base.SampleGrad(Linear, p, dx, dy);
#ifdef SHADOW
  float lit = 1;
  for (uint k = 1; k < 8; ++k) {
    float up = Height.SampleLevel(Linear, p + Sun.xy * (k * 0.01f), 0) - (layer + Sun.z * (k * 0.05f));
    lit = min(lit, 1 - saturate(up * 8));
    if (lit <= 0)
      break;
  }
  c.rgb *= lit;
#endif
  return c;
}
