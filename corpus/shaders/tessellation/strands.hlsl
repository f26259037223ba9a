// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 domain
// trellis.hs_points: hs_6_0 hull -DTOPOLOGY="point"
// trellis.ds_curl: ds_6_0 domain -DCURL
// Isolines: hair between guides, with a number of strands by density.
#ifndef TOPOLOGY
#define TOPOLOGY "line"
#endif
struct Guide { float3 root : ROOT; float3 bend : BEND; float3 tip : TIP; float density : DENSITY; };
struct Factors { float edges[2] : SV_TessFactor; float wave : WAVE; };
cbuffer View : register(b0) { float4x4 Clip; float3 Eye; float Time; };

Factors constants(InputPatch<Guide, 2> p, uint number : SV_PrimitiveID) {
  Factors f;
  float far = distance(p[0].root, Eye);
  f.edges[0] = clamp((p[0].density + p[1].density) * 4, 1, 16);
  f.edges[1] = far > 50 ? 2 : far > 10 ? 4 : 8;
  f.wave = sin(Time + number);
  return f;
}

[domain("isoline")]
[partitioning("integer")]
[outputtopology(TOPOLOGY)]
[outputcontrolpoints(2)]
[patchconstantfunc("constants")]
Guide hull(InputPatch<Guide, 2> p, uint i : SV_OutputControlPointID) { return p[i]; }

[domain("isoline")]
float4 domain(Factors f, float2 at : SV_DomainLocation, const OutputPatch<Guide, 2> p) : SV_Position {
  float t = at.x, s = at.y;
  float3 root = lerp(p[0].root, p[1].root, s), bend = lerp(p[0].bend, p[1].bend, s), tip = lerp(p[0].tip, p[1].tip, s);
  float3 place = root * (1 - t) * (1 - t) + bend * 2 * t * (1 - t) + tip * t * t;
  place.x += f.wave * t * t * 0.1f;
#ifdef CURL
  float a = t * 20 + s * 100;
  place += float3(cos(a), 0, sin(a)) * 0.02f * t;
#endif
  return mul(Clip, float4(place, 1));
}
