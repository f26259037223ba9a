// trellis: cs_6_0 main
// trellis.bits2: cs_6_0 main -DBITS=2
// trellis.masked: cs_6_5 main -DMATCH
// First pass of a radix sort: digits of a group are counted in groupshared memory.
#ifndef BITS
#define BITS 4
#endif
#define DIGITS (1 << BITS)
StructuredBuffer<uint> Keys;
RWStructuredBuffer<uint> Counts;
cbuffer Pass { uint Shift; };
groupshared uint Histogram[DIGITS];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  if (thread < DIGITS)
    Histogram[thread] = 0;
  GroupMemoryBarrierWithGroupSync();
  uint digit = (Keys[id] >> (Shift & 31)) & (DIGITS - 1);
#ifdef MATCH
  uint4 same = WaveMatch(digit);
  uint lane = WaveGetLaneIndex();
  uint4 lower = 0;
  lower[lane / 32] = (1u << (lane % 32)) - 1;
  uint before = 0;
  for (uint word = 0; word < lane / 32; ++word)
    before += countbits(same[word]);
  before += countbits(same[lane / 32] & lower[lane / 32]);
  uint all = countbits(same.x) + countbits(same.y) + countbits(same.z) + countbits(same.w);
  if (before == 0)
    InterlockedAdd(Histogram[digit], all);
#else
  InterlockedAdd(Histogram[digit], 1);
#endif
  GroupMemoryBarrierWithGroupSync();
  if (thread < DIGITS)
    Counts[group * DIGITS + thread] = Histogram[thread];
}
