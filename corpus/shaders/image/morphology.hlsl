// trellis.dilate: cs_6_0 main -DPICK=max -DFIRST=0
// trellis.erode: cs_6_0 main -DPICK=min -DFIRST=0xffffffff
// Dilation and erosion of a picture of integers by a disc, through groupshared memory.
Texture2D<uint> In;
RWTexture2D<uint> Out;
groupshared uint Tile[12][12];

[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID, int2 thread : SV_GroupThreadID, int2 group : SV_GroupID) {
  for (int i = thread.y * 8 + thread.x; i < 144; i += 64) {
    int2 p = max(group * 8 - 2 + int2(i % 12, i / 12), 0);
    Tile[i / 12][i % 12] = In[p];
  }
  GroupMemoryBarrierWithGroupSync();
  uint value = FIRST;
  [unroll]
  for (int y = -2; y <= 2; ++y)
    [unroll]
    for (int x = -2; x <= 2; ++x)
      if (x * x + y * y <= 5)
        value = PICK(value, Tile[thread.y + 2 + y][thread.x + 2 + x]);
  Out[id] = value;
}
