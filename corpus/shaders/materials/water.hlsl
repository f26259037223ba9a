// trellis: ps_6_0 main
// trellis.foam: ps_6_0 main -DFOAM
// Water: two scrolling normal maps, refraction limited by depth, foam at shores.
Texture2D<float4> Waves : register(t0);
Texture2D<float4> Scene : register(t1);
Texture2D<float> Depth : register(t2);
TextureCube<float4> Sky : register(t3);
SamplerState Linear : register(s0);
cbuffer Water { float Time; float3 Deep; };

float4 main(float4 at : SV_Position, float2 uv : UV, float3 view : VIEW, float2 screen : SCREEN) : SV_Target {
  float3 n = Waves.Sample(Linear, uv + Time * 0.03f).xyz + Waves.Sample(Linear, uv * 1.7f - Time * 0.05f).xyz - 1;
  n = normalize(n.xzy);
  float bottom = Depth.SampleLevel(Linear, screen, 0);
  float through = bottom - at.z;
  float2 bent = screen + n.xz * 0.02f * saturate(through * 4);
  if (Depth.SampleLevel(Linear, bent, 0) < at.z)
    bent = screen;
  float3 below = Scene.SampleLevel(Linear, bent, 0).rgb;
  float3 v = normalize(view);
  float mirror = 0.02f + 0.98f * pow(1 - saturate(dot(n, v)), 5);
  float3 c = lerp(Deep, below, exp2(-max(through, 0) * 3));
  c = lerp(c, Sky.SampleBias(Linear, reflect(-v, n), 1).rgb, mirror);
#ifdef FOAM
  c += saturate(1 - through * 8) * step(0.6f, frac(uv.x * 7 + Time));
#endif
  return float4(c, 1);
}
