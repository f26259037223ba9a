// trellis: cs_6_0 main
// trellis.sm66: cs_6_6 main -DWAVES=[WaveSize(16)]
// trellis.long: cs_6_3 main -DVALUE=uint64_t
// Scan of a group by waves: prefix sums of lanes, then of the waves' totals.
#ifndef VALUE
#define VALUE uint
#endif
#ifndef WAVES
#define WAVES
#endif
StructuredBuffer<VALUE> In;
RWStructuredBuffer<VALUE> Out;
groupshared VALUE Totals[64];

WAVES
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  VALUE value = In[id];
  VALUE sum = WavePrefixSum(value) + value;
  uint wave = thread / WaveGetLaneCount();
  if (WaveGetLaneIndex() == WaveGetLaneCount() - 1)
    Totals[wave] = sum;
  GroupMemoryBarrierWithGroupSync();
  for (uint before = 0; before < wave; ++before)
    sum += Totals[before];
  Out[id] = sum;
}
