// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 domain
// trellis.hs_even: hs_6_0 hull -DPARTITION="fractional_even"
// trellis.hs_whole: hs_6_0 hull -DPARTITION="integer"
// trellis.ds_bump: ds_6_0 domain -DBUMP
// Ground in square patches: factors by the size of edges on the screen, none outside of the view.
#ifndef PARTITION
#define PARTITION "fractional_odd"
#endif
Texture2D<float> Height : register(t0);
SamplerState Linear : register(s0);
cbuffer View : register(b0) { float4x4 Clip; float4 Planes[4]; float2 Screen; float Size; };
struct Corner { float3 place : PLACE; float2 uv : UV; };
struct Factors { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };

float factor(float3 a, float3 b) {
  float4 m = mul(Clip, float4((a + b) * 0.5f, 1));
  return clamp(distance(a, b) * Screen.y / max(m.w * Size, 0.1f), 1, 15);
}

bool seen(float3 p, float r) {
  [unroll]
  for (uint i = 0; i < 4; ++i)
    if (dot(Planes[i], float4(p, 1)) < -r)
      return false;
  return true;
}

Factors constants(InputPatch<Corner, 4> p) {
  Factors f;
  float3 middle = (p[0].place + p[1].place + p[2].place + p[3].place) * 0.25f;
  if (!seen(middle, distance(middle, p[0].place) + 1)) {
    f.edges[0] = f.edges[1] = f.edges[2] = f.edges[3] = 0;
    f.inside[0] = f.inside[1] = 0;
    return f;
  }
  f.edges[0] = factor(p[0].place, p[3].place);
  f.edges[1] = factor(p[0].place, p[1].place);
  f.edges[2] = factor(p[1].place, p[2].place);
  f.edges[3] = factor(p[2].place, p[3].place);
  f.inside[0] = max(f.edges[1], f.edges[3]);
  f.inside[1] = max(f.edges[0], f.edges[2]);
  return f;
}

[domain("quad")]
[partitioning(PARTITION)]
[outputtopology("triangle_cw")]
[outputcontrolpoints(4)]
[patchconstantfunc("constants")]
[maxtessfactor(15)]
Corner hull(InputPatch<Corner, 4> p, uint i : SV_OutputControlPointID) { return p[i]; }

struct Result { float4 place : SV_Position; float3 normal : NORMAL; };

[domain("quad")]
Result domain(Factors f, float2 at : SV_DomainLocation, const OutputPatch<Corner, 4> p) {
  Result r;
  float3 place = lerp(lerp(p[0].place, p[1].place, at.x), lerp(p[3].place, p[2].place, at.x), at.y);
  float2 uv = lerp(lerp(p[0].uv, p[1].uv, at.x), lerp(p[3].uv, p[2].uv, at.x), at.y);
  float h = Height.SampleLevel(Linear, uv, 0);
#ifdef BUMP
  for (uint i = 1; i < 4; ++i)
    h += Height.SampleLevel(Linear, uv * exp2((float)i), 0) * exp2(-(float)i);
#endif
  float2 d = float2(Height.SampleLevel(Linear, uv, 0, int2(1, 0)), Height.SampleLevel(Linear, uv, 0, int2(0, 1))) - h;
  r.normal = normalize(float3(-d.x, 0.1f, -d.y));
  r.place = mul(Clip, float4(place + float3(0, h, 0), 1));
  return r;
}
