// trellis.build: cs_6_0 build
// trellis.test: cs_6_0 test
// Occlusion: a pyramid of the farthest depth, and boxes against its level of about their size.
Texture2D<float> Depth;
RWTexture2D<float> Next;
StructuredBuffer<float4> Boxes;
RWStructuredBuffer<uint> Visible;
cbuffer Size { uint2 Level; };

[numthreads(8, 8, 1)]
void build(uint2 id : SV_DispatchThreadID) {
  uint2 from = id * 2;
  float far = max(max(Depth[from], Depth[from + uint2(1, 0)]), max(Depth[from + uint2(0, 1)], Depth[from + 1]));
  if ((Level.x & 1) != 0)
    far = max(far, max(Depth[from + uint2(2, 0)], Depth[from + uint2(2, 1)]));
  if ((Level.y & 1) != 0)
    far = max(far, max(Depth[from + uint2(0, 2)], Depth[from + uint2(1, 2)]));
  Next[id] = far;
}

[numthreads(64, 1, 1)]
void test(uint id : SV_DispatchThreadID) {
  float4 box = Boxes[id];
  float2 low = saturate(box.xy * 0.02f), high = saturate(box.xy * 0.02f + box.zw * 0.01f);
  float2 size = (high - low) * 16;
  uint level = (uint)clamp(ceil(log2(max(max(size.x, size.y), 1.0f))), 0.0f, 3.0f);
  uint2 first = (uint2)(low * 15), last = (uint2)(high * 15);
  float far = 0;
  for (uint y = first.y; y <= last.y; y += 1u << level)
    for (uint x = first.x; x <= last.x; x += 1u << level)
      far = max(far, Depth[uint2(x, y)]);
  if (box.z <= far) {
    uint old;
    InterlockedOr(Visible[id / 32], 1u << (id & 31), old);
  }
}
