// trellis: cs_6_0 main
// trellis.half: cs_6_2 main -DREAL=float16_t -enable-16bit-types
// trellis.integer: cs_6_0 main -DREAL=int
// trellis.double: cs_6_0 main -DREAL=double
// Product of matrices in tiles of 8 by 8 that a group keeps in groupshared memory.
#ifndef REAL
#define REAL float
#endif
StructuredBuffer<REAL> A;
StructuredBuffer<REAL> B;
RWStructuredBuffer<REAL> C;
groupshared REAL TileA[8][8];
groupshared REAL TileB[8][8];

[numthreads(8, 8, 1)]
void main(uint2 thread : SV_GroupThreadID, uint2 group : SV_GroupID) {
  uint row = group.y * 8 + thread.y, column = group.x * 8 + thread.x;
  REAL sum = 0;
  for (uint tile = 0; tile < 2; ++tile) {
    TileA[thread.y][thread.x] = A[row * 16 + tile * 8 + thread.x];
    TileB[thread.y][thread.x] = B[(tile * 8 + thread.y) * 16 + column];
    GroupMemoryBarrierWithGroupSync();
    [unroll]
    for (uint k = 0; k < 8; ++k)
      sum += TileA[thread.y][k] * TileB[k][thread.x];
    GroupMemoryBarrierWithGroupSync();
  }
  C[row * 16 + column] = sum;
}
