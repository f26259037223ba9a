// trellis.hs61: hs_6_1 hull
// trellis.hs63: hs_6_3 hull
// trellis.hs64: hs_6_4 hull
// trellis.hs67: hs_6_7 hull
// trellis.hs68: hs_6_8 hull
// trellis.hs69: hs_6_9 hull
// trellis.ds61: ds_6_1 domain
// trellis.ds63: ds_6_3 domain
// trellis.ds64: ds_6_4 domain
// trellis.ds67: ds_6_7 domain
// trellis.ds68: ds_6_8 domain
// trellis.ds69: ds_6_9 domain
// trellis.gs61: gs_6_1 geometry
// trellis.gs63: gs_6_3 geometry
// trellis.gs64: gs_6_4 geometry
// trellis.gs67: gs_6_7 geometry
// trellis.gs68: gs_6_8 geometry
// trellis.gs69: gs_6_9 geometry
// Hull, domain and geometry shaders in the shader models that other shaders leave out.
struct Point { float4 place : SV_Position; float2 uv : UV; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
Texture2D<float> Height : register(t0);
SamplerState Linear : register(s0);
cbuffer Frame : register(b0) { float4x4 View; float Amount; };

Factors constants(InputPatch<Point, 3> p) {
  Factors f;
  [unroll]
  for (uint i = 0; i < 3; ++i)
    f.edges[i] = 1 + distance(p[i].uv, p[(i + 1) % 3].uv);
  f.inside = max(f.edges[0], max(f.edges[1], f.edges[2]));
  return f;
}

[domain("tri")]
[partitioning("fractional_odd")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 3> p, uint i : SV_OutputControlPointID) { return p[i]; }

[domain("tri")]
Point domain(Factors f, float3 w : SV_DomainLocation, const OutputPatch<Point, 3> p) {
  Point r;
  r.uv = p[0].uv * w.x + p[1].uv * w.y + p[2].uv * w.z;
  r.place = p[0].place * w.x + p[1].place * w.y + p[2].place * w.z;
  r.place.y += Height.SampleLevel(Linear, r.uv, 0) * Amount;
  return r;
}

[maxvertexcount(6)]
void geometry(triangle Point p[3], inout TriangleStream<Point> stream) {
  for (uint copy = 0; copy < 2; ++copy) {
    for (uint i = 0; i < 3; ++i) {
      Point r = p[i];
      r.place = mul(View, r.place + float4(0, copy * Amount, 0, 0));
      stream.Append(r);
    }
    stream.RestartStrip();
    if (Amount <= 0)
      break;
  }
}
