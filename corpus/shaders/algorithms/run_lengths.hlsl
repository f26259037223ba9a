// trellis: cs_6_0 main
// Run-length coding: heads of runs by comparison with the neighbour, places by a scan.
StructuredBuffer<uint> In;
RWStructuredBuffer<uint2> Runs;
groupshared uint Heads[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint value = In[id] & 3;
  bool head = thread == 0 || (In[id - 1] & 3) != value;
  Heads[thread] = head;
  GroupMemoryBarrierWithGroupSync();
  uint place = 0, length = 1;
  for (uint i = 0; i < thread; ++i)
    place += Heads[i];
  while (thread + length < 64 && Heads[thread + length] == 0)
    ++length;
  if (head)
    Runs[group * 64 + place] = uint2(value, length);
}
