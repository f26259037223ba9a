// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 domain
// trellis.hs_half: hs_6_2 hull -enable-16bit-types -DTHREE=half3
// trellis.ds_half: ds_6_2 domain -enable-16bit-types -DTHREE=half3
// trellis.hs_sm66: hs_6_6 hull -DWAVES
// trellis.ds_sm66: ds_6_6 domain -DHEAP
// A detailed surface from a texture, moved along normals; factors by curvature; native halves; the heap.
#ifndef THREE
#define THREE float3
#endif
struct Corner { float3 place : PLACE; THREE normal : NORMAL; float2 uv : UV; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
cbuffer View : register(b0) { float4x4 Clip; float Amount; uint Map; };
#ifndef HEAP
Texture2D<float> Moves : register(t0);
#endif
SamplerState Linear : register(s0);

Factors constants(const OutputPatch<Corner, 3> p) {
  Factors f;
  float3 bend;
  [unroll]
  for (uint i = 0; i < 3; ++i)
    bend[i] = saturate(1 - (float)dot(p[(i + 1) % 3].normal, p[(i + 2) % 3].normal));
  f.edges[0] = 1 + 8 * bend.x;
  f.edges[1] = 1 + 8 * bend.y;
  f.edges[2] = 1 + 8 * bend.z;
  f.inside = 1 + 8 * max(bend.x, max(bend.y, bend.z));
  return f;
}

[domain("tri")]
[partitioning("fractional_even")]
[outputtopology("triangle_ccw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Corner hull(InputPatch<Corner, 3> p, uint i : SV_OutputControlPointID) {
  Corner c = p[i];
  c.normal = normalize(c.normal);
#ifdef WAVES
  c.uv += p[(i + 1) % 3].uv * 0.001f;
#endif
  return c;
}

[domain("tri")]
void domain(Factors f, float3 w : SV_DomainLocation, const OutputPatch<Corner, 3> p, uint number : SV_PrimitiveID,
            out float4 place : SV_Position, out THREE normal : NORMAL, out nointerpolation uint id : NUMBER) {
  float2 uv = p[0].uv * w.x + p[1].uv * w.y + p[2].uv * w.z;
  normal = normalize(p[0].normal * (THREE)w.x + p[1].normal * (THREE)w.y + p[2].normal * (THREE)w.z);
#ifdef HEAP
  Texture2D<float> Moves = ResourceDescriptorHeap[Map];
#endif
  float move = (Moves.SampleLevel(Linear, uv, 0) - 0.5f) * Amount;
  place = mul(Clip, float4(p[0].place * w.x + p[1].place * w.y + p[2].place * w.z + (float3)normal * move, 1));
  id = number;
}
