// trellis.bc1: cs_6_0 main
// trellis.bc4: cs_6_0 main -DONE_CHANNEL
// Texture compression of blocks of 4 by 4 texels: end points and indices.
Texture2D<float4> In;
RWStructuredBuffer<uint2> Blocks;

uint to565(float3 c) {
  uint3 v = (uint3)(saturate(c) * float3(31, 63, 31) + 0.5f);
  return v.r << 11 | v.g << 5 | v.b;
}

[numthreads(4, 4, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float4 texels[16];
  float3 low = 1, high = 0;
  for (uint i = 0; i < 16; ++i) {
    texels[i] = In[id * 4 + uint2(i % 4, i / 4)];
    low = min(low, texels[i].rgb);
    high = max(high, texels[i].rgb);
  }
  uint2 block = 0;
#ifdef ONE_CHANNEL
  uint first = (uint)(saturate(high.r) * 255), last = (uint)(saturate(low.r) * 255);
  block.x = first | last << 8;
  for (uint k = 0; k < 16; ++k) {
    float t = first == last ? 0 : (high.r - texels[k].r) / max(high.r - low.r, 1e-4f);
    uint index = (uint)(saturate(t) * 7 + 0.5f);
    index = index == 0 ? 0 : index == 7 ? 1 : index + 1;
    uint bit = 16 + k * 3;
    if (bit < 32)
      block.x |= index << bit;
    if (bit + 3 > 32)
      block.y |= bit < 32 ? index >> (32 - bit) : index << (bit - 32);
  }
#else
  block.x = to565(high) | to565(low) << 16;
  float3 axis = high - low;
  float scale = 3.0f / max(dot(axis, axis), 1e-4f);
  for (uint k = 0; k < 16; ++k) {
    uint step_ = (uint)clamp(dot(high - texels[k].rgb, axis) * scale + 0.5f, 0.0f, 3.0f);
    static const uint Order[4] = {0, 2, 3, 1};
    block.y |= Order[step_] << (k * 2);
  }
#endif
  Blocks[id.y * 8 + id.x] = block;
}
