// trellis.cs61: cs_6_1 main
// trellis.cs63: cs_6_3 main
// trellis.cs64: cs_6_4 main
// trellis.cs65: cs_6_5 main
// trellis.cs66: cs_6_6 main
// trellis.cs67: cs_6_7 main
// trellis.cs68: cs_6_8 main
// trellis.cs69: cs_6_9 main
// trellis.cs68_od: cs_6_8 main -Od
// trellis.cs69_od: cs_6_9 main -Od
// trellis.cs69_16: cs_6_9 main -enable-16bit-types
// One long compute shader in many models: textures, group memory, waves, atomics, matrices, loops.
struct Item { float4x4 m; uint kind; float3 weight; };
Texture2D<float4> Picture : register(t0);
StructuredBuffer<Item> Items : register(t1);
RWStructuredBuffer<float4> Out : register(u0);
RWByteAddressBuffer Counts : register(u1);
groupshared float4 Row[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  float4 v = Picture.Load(int3(thread & 7, thread >> 3, 0));
  Item item = Items[thread & 15];
  Row[thread] = v;
  GroupMemoryBarrierWithGroupSync();
  [loop]
  for (uint i = 0; i < (item.kind & 7); ++i) {
    v += mul(item.m, Row[(thread + i) & 63]) * item.weight.x;
    if (dot(v, v) > 1e6f)
      break;
  }
  switch (item.kind & 3) {
  case 0: v = v.wzyx; break;
  case 1: v = float4(item.weight, v.x); break;
  case 2: v += WaveReadLaneFirst(v.x); break;
  }
  half4 h = (half4)saturate(v);
  uint old;
  Counts.InterlockedAdd((item.kind & 3) * 4, 1, old);
  Out[id] = v + (float4)h;
}
