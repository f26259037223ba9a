// trellis: vs_6_0 main
// trellis.rings: vs_6_0 main -DRINGS
// trellis.animated: vs_6_0 animated
// Ground from a texture of heights, rings around the eye that blend, and animation from a texture.
Texture2D<float> Height : register(t0);
Texture2D<float4> Moves : register(t1);
SamplerState Linear : register(s0);
cbuffer Frame : register(b0) { float4x4 View; float2 Eye; float Scale; float Time; };
struct Result { float4 place : SV_Position; float3 normal : NORMAL; float2 uv : UV; };

Result main(float2 p : POSITION, uint ring : SV_InstanceID) {
  Result r;
#ifdef RINGS
  float cell = exp2((float)(ring & 3));
  float2 world = (floor(Eye / cell) + p) * cell, far = abs(world - Eye) / (cell * 8);
  float blend = saturate(max(far.x, far.y) * 4 - 3);
  world -= frac(p * 0.5f) * 2 * cell * blend;
#else
  float2 world = p;
#endif
  r.uv = world * 0.05f;
  float h = Height.SampleLevel(Linear, r.uv, 0);
  float2 slope = float2(Height.SampleLevel(Linear, r.uv + float2(0.05f, 0), 0), Height.SampleLevel(Linear, r.uv + float2(0, 0.05f), 0)) - h;
  r.normal = normalize(float3(-slope.x, 0.1f, -slope.y));
  r.place = mul(View, float4(world.x, h * Scale, world.y, 1));
  return r;
}

Result animated(float3 p : POSITION, float3 n : NORMAL, uint vertex : SV_VertexID) {
  Result r;
  float frame = frac(Time) * 7;
  int3 now = int3(vertex & 7, (int)frame, 0), next = int3(vertex & 7, (int)frame + 1, 0);
  float4 m = lerp(Moves.Load(now), Moves.Load(next), frac(frame));
  r.place = mul(View, float4(p + m.xyz, 1));
  r.normal = normalize(n + m.w * 0.1f);
  r.uv = 0;
  return r;
}
