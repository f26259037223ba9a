// trellis.vs63: vs_6_3 vertex
// trellis.vs65: vs_6_5 vertex
// trellis.vs68: vs_6_8 vertex
// trellis.vs69: vs_6_9 vertex
// trellis.ps61: ps_6_1 pixel
// trellis.ps63: ps_6_3 pixel
// trellis.ps65: ps_6_5 pixel
// trellis.ps68: ps_6_8 pixel
// trellis.ps69: ps_6_9 pixel
// trellis.ps68_lod: ps_6_8 pixel -DLOD
// trellis.ps67_lod: ps_6_7 pixel -DLOD67
// A vertex and a pixel shader in many models, with samples that only the later ones have.
struct Between { float4 place : SV_Position; float3 normal : NORMAL; float2 uv : UV; };
cbuffer Frame : register(b0) { float4x4 View; float3 Sun; };
Texture2D<float4> Base : register(t0);
Texture2D<float> Shadow : register(t1);
SamplerState Linear : register(s0);
SamplerComparisonState Compare : register(s1);

Between vertex(float3 p : POSITION, float3 n : NORMAL, float2 uv : UV, uint i : SV_InstanceID) {
  Between b;
  b.place = mul(View, float4(p + float3(i, 0, 0), 1));
  b.normal = n;
  b.uv = uv;
  return b;
}

float4 pixel(Between b) : SV_Target {
  float4 c = Base.Sample(Linear, b.uv);
  float lit = saturate(dot(normalize(b.normal), Sun));
#if defined(LOD)
  lit *= Shadow.SampleCmpBias(Compare, b.uv, b.place.z, 0.5f) + Shadow.SampleCmpGrad(Compare, b.uv, b.place.z, ddx(b.uv), ddy(b.uv));
  lit += Base.CalculateLevelOfDetail(Compare, b.uv) * 0.01f;
#elif defined(LOD67)
  lit *= Shadow.SampleCmpLevel(Compare, b.uv, b.place.z, 1.5f);
  if (QuadAny(lit > 0.5f))
    c *= 0.5f;
#else
  lit *= Shadow.SampleCmpLevelZero(Compare, b.uv, b.place.z);
#endif
  return c * lit;
}
