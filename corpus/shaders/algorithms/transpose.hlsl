// trellis: cs_6_0 main
// trellis.bytes: cs_6_0 main -DBYTES
// A matrix is transposed through a padded tile; or bytes of words by shuffles within words.
StructuredBuffer<uint> In;
RWStructuredBuffer<uint> Out;
groupshared uint Tile[8][9];

[numthreads(8, 8, 1)]
void main(uint3 thread : SV_GroupThreadID, uint3 group : SV_GroupID) {
  Tile[thread.y][thread.x] = In[thread.y * 16 + group.x * 8 + thread.x];
  GroupMemoryBarrierWithGroupSync();
#ifdef BYTES
  uint word = 0;
  [unroll]
  for (uint i = 0; i < 4; ++i)
    word |= (Tile[(thread.y & 4) + i][thread.x] >> ((thread.y & 3) * 8) & 0xff) << (i * 8);
  Out[group.x * 64 + thread.y * 8 + thread.x] = word;
#else
  Out[(group.x * 8 + thread.y) * 8 + thread.x] = Tile[thread.x][thread.y];
#endif
}
