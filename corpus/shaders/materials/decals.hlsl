// trellis: ps_6_0 main
// trellis.cluster: ps_6_0 main -DCLUSTER
// Decals in boxes, one each draw or all of a cluster's mask, which is read bit by bit.
Texture2D<float> Depth : register(t0);
Texture2DArray<float4> Pictures : register(t1);
StructuredBuffer<float4x4> Boxes : register(t2);
StructuredBuffer<uint> Masks : register(t3);
SamplerState Linear : register(s0);
cbuffer View { float4x4 Unproject; uint Which; };

float4 one(uint i, float3 p, float2 dx, float2 dy) {
  float3 q = mul(Boxes[i], float4(p, 1)).xyz;
  if (any(abs(q) > 1))
    return 0;
  return Pictures.SampleGrad(Linear, float3(q.xy * 0.5f + 0.5f, i & 3), dx, dy) * (1 - abs(q.z));
}

float4 main(float4 at : SV_Position, float2 screen : SCREEN) : SV_Target {
  float4 h = mul(Unproject, float4(screen * 2 - 1, Depth.Load(int3((int2)at.xy, 0)), 1));
  float3 p = h.xyz / h.w;
  float2 dx = ddx(p.xy), dy = ddy(p.xy);
  float4 c = 0;
#ifdef CLUSTER
  uint mask = Masks[((uint)at.x / 2) & 7];
  while (mask != 0) {
    uint i = firstbitlow(mask);
    mask &= mask - 1;
    float4 d = one(i, p, dx, dy);
    c = lerp(c, d, d.a);
    if (c.a > 0.99f)
      break;
  }
#else
  c = one(Which & 31, p, dx, dy);
  if (c.a == 0)
    discard;
#endif
  return c;
}
