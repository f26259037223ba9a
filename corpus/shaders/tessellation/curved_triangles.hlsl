// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 domain
// trellis.hs_round: hs_6_0 hull -DROUND
// trellis.ds_round: ds_6_0 domain -DROUND
// trellis.hs_dense: hs_6_0 hull -DDENSE
// Triangles that become smooth: ten points of a cubic in patch constants, or projection onto three planes.
struct Corner { float3 place : PLACE; float3 normal : NORMAL; };
struct Factors {
  float edges[3] : SV_TessFactor;
  float inside : SV_InsideTessFactor;
#ifndef ROUND
  float3 points[7] : POINTS;
#endif
};
cbuffer View : register(b0) { float4x4 Clip; float3 Eye; float Most; };

float3 moved(Corner a, Corner b) { return (2 * a.place + b.place - dot(b.place - a.place, a.normal) * a.normal) / 3; }

float detail(float3 a, float3 b) {
#ifdef DENSE
  float far = distance((a + b) * 0.5f, Eye);
  uint level = firstbithigh((uint)max(64 / max(far, 1), 1.0f));
  return (float)(1u << min(level, 5u));
#else
  return clamp(Most / max(distance(a, Eye), 1), 1, 12);
#endif
}

Factors constants(InputPatch<Corner, 3> p, uint number : SV_PrimitiveID) {
  Factors f;
  f.edges[0] = detail(p[1].place, p[2].place);
  f.edges[1] = detail(p[2].place, p[0].place);
  f.edges[2] = detail(p[0].place, p[1].place);
  f.inside = (f.edges[0] + f.edges[1] + f.edges[2]) / 3 + (number & 1);
#ifndef ROUND
  float3 sum = 0;
  [unroll]
  for (uint i = 0; i < 3; ++i) {
    uint j = (i + 1) % 3;
    f.points[i * 2] = moved(p[i], p[j]);
    f.points[i * 2 + 1] = moved(p[j], p[i]);
    sum += f.points[i * 2] + f.points[i * 2 + 1];
  }
  float3 flat = (p[0].place + p[1].place + p[2].place) / 3;
  f.points[6] = sum / 6 + (sum / 6 - flat) * 0.5f;
#endif
  return f;
}

[domain("tri")]
[partitioning("fractional_odd")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Corner hull(InputPatch<Corner, 3> p, uint i : SV_OutputControlPointID) {
  Corner c = p[i];
  c.normal = normalize(c.normal + 1e-4f);
  return c;
}

struct Result { float4 place : SV_Position; float3 normal : NORMAL; };

[domain("tri")]
Result domain(Factors f, float3 w : SV_DomainLocation, const OutputPatch<Corner, 3> p) {
  Result r;
  float3 place = p[0].place * w.x + p[1].place * w.y + p[2].place * w.z;
#ifdef ROUND
  float3 sum = 0;
  [unroll]
  for (uint i = 0; i < 3; ++i)
    sum += (place - dot(place - p[i].place, p[i].normal) * p[i].normal) * w[i];
  place = lerp(place, sum, 0.75f);
#else
  float3 q = w * w;
  place = p[0].place * q.x * w.x + p[1].place * q.y * w.y + p[2].place * q.z * w.z +
          3 * (f.points[0] * q.x * w.y + f.points[1] * w.x * q.y + f.points[2] * q.y * w.z + f.points[3] * w.y * q.z +
               f.points[4] * q.z * w.x + f.points[5] * w.z * q.x) + 6 * f.points[6] * w.x * w.y * w.z;
#endif
  r.normal = normalize(p[0].normal * w.x + p[1].normal * w.y + p[2].normal * w.z);
  r.place = mul(Clip, float4(place, 1));
  return r;
}
