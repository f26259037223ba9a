// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 domain
// trellis.hs_spline: hs_6_0 hull -DSPLINE
// trellis.ds_rational: ds_6_0 domain -DRATIONAL
// Surfaces of sixteen points; those of a spline become those of a patch in the hull shader.
struct Point { float4 place : PLACE; };
struct Factors { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
cbuffer View : register(b0) { float4x4 Clip; float Factor; };

Factors constants(InputPatch<Point, 16> p) {
  Factors f;
  float longest = 0;
  for (uint i = 0; i < 15; ++i)
    longest = max(longest, distance(p[i].place.xyz, p[i + 1].place.xyz));
  float n = clamp(longest * Factor, 1, 10);
  f.edges[0] = f.edges[1] = f.edges[2] = f.edges[3] = n;
  f.inside[0] = f.inside[1] = n;
  return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_ccw")]
[outputcontrolpoints(16)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 16> p, uint i : SV_OutputControlPointID) {
  Point r;
#ifdef SPLINE
  static const float4 Rows[4] = {float4(1, 4, 1, 0), float4(0, 4, 2, 0), float4(0, 2, 4, 0), float4(0, 1, 4, 1)};
  float4 x = Rows[i & 3] / 6, y = Rows[i >> 2] / 6;
  r.place = 0;
  for (uint j = 0; j < 16; ++j)
    r.place += p[j].place * x[j & 3] * y[j >> 2];
#else
  r = p[i];
#endif
  return r;
}

float4 basis(float t) { return float4((1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t); }
float4 slope(float t) { return float4(-3 * (1 - t) * (1 - t), 3 * (1 - t) * (1 - 3 * t), 3 * t * (2 - 3 * t), 3 * t * t); }

struct Result { float4 place : SV_Position; float3 normal : NORMAL; };

[domain("quad")]
Result domain(Factors f, float2 at : SV_DomainLocation, const OutputPatch<Point, 16> p) {
  float4 bx = basis(at.x), by = basis(at.y), sx = slope(at.x), sy = slope(at.y), place = 0;
  float3 u = 0, v = 0;
  [unroll]
  for (uint i = 0; i < 16; ++i) {
    float4 q = p[i].place;
#ifdef RATIONAL
    q.xyz *= q.w;
#endif
    place += q * bx[i & 3] * by[i >> 2];
    u += q.xyz * sx[i & 3] * by[i >> 2];
    v += q.xyz * bx[i & 3] * sy[i >> 2];
  }
#ifdef RATIONAL
  place.xyz /= abs(place.w) + 1e-4f;
#endif
  Result r;
  r.normal = normalize(cross(u, v) + 1e-5f);
  r.place = mul(Clip, float4(place.xyz, 1));
  return r;
}
