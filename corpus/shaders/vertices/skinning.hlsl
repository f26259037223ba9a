// trellis: vs_6_0 main
// trellis.dual: vs_6_0 main -DDUAL
// trellis.morph: vs_6_0 main -DMORPH
// trellis.half: vs_6_2 main -enable-16bit-types -DWEIGHT=half4
// Vertices moved by four bones (matrices or dual quaternions), and by shapes.
#ifndef WEIGHT
#define WEIGHT float4
#endif
StructuredBuffer<float3x4> Bones : register(t0);
StructuredBuffer<float4> Duals : register(t1);
StructuredBuffer<float3> Shapes : register(t2);
cbuffer Frame : register(b0) { float4x4 View; uint Base; uint Count; float4 Amounts[2]; };
struct Result { float3 normal : NORMAL; float4 tangent : TANGENT; float4 place : SV_Position; };

float3 turned(float4 q, float3 v) { return v + 2 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

Result main(float3 p : POSITION, float3 n : NORMAL, float4 t : TANGENT, uint4 bones : BONES, WEIGHT weights : WEIGHTS,
            uint vertex : SV_VertexID) {
  Result r;
#ifdef MORPH
  for (uint s = 0; s < min(Count, 8u); ++s)
    p += Amounts[s / 4][s % 4] * Shapes[(s * 8 + vertex) & 63];
#endif
#ifdef DUAL
  float4 real = 0, dual = 0, first = Duals[(bones.x & 15) * 2];
  for (uint i = 0; i < 4; ++i) {
    uint b = (bones[i] & 15) * 2;
    float w = (float)weights[i];
    if (dot(Duals[b], first) < 0)
      w = -w;
    real += w * Duals[b];
    dual += w * Duals[b + 1];
  }
  float size = rsqrt(dot(real, real) + 1e-6f);
  real *= size;
  dual *= size;
  p = turned(real, p) + 2 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
  r.normal = turned(real, n);
  r.tangent = float4(turned(real, t.xyz), t.w);
#else
  float3x4 m = 0;
  for (uint i = 0; i < 4; ++i)
    m += (float)weights[i] * Bones[(Base + bones[i]) & 15];
  p = mul(m, float4(p, 1));
  r.normal = mul((float3x3)m, n);
  r.tangent = float4(mul((float3x3)m, t.xyz), t.w);
#endif
  r.place = mul(View, float4(p, 1));
  return r;
}
