// trellis: cs_6_0 main
// trellis.wide: cs_6_0 main -DWIDE
// Last pass of a radix sort: each element moves to the place of its digit plus its rank in the group.
StructuredBuffer<uint> Keys;
StructuredBuffer<uint> Offsets;
RWStructuredBuffer<uint> Sorted;
#ifdef WIDE
StructuredBuffer<uint2> Values;
RWStructuredBuffer<uint2> SortedValues;
#endif
cbuffer Pass { uint Shift; };
groupshared uint Digits[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint key = Keys[id];
  uint digit = (key >> (Shift & 28)) & 15;
  Digits[thread] = digit;
  GroupMemoryBarrierWithGroupSync();
  uint rank = 0;
  for (uint i = 0; i < thread; ++i)
    rank += Digits[i] == digit ? 1 : 0;
  uint to = (Offsets[group * 16 + digit] + rank) & 127;
  InterlockedAdd(Sorted[to], key);
#ifdef WIDE
  InterlockedAdd(SortedValues[to].x, Values[id].x);
  InterlockedXor(SortedValues[to].y, Values[id].y);
#endif
}
