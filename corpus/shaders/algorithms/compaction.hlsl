// trellis: cs_6_0 main
// trellis.append: cs_6_0 main -DAPPEND
// trellis.wave: cs_6_0 main -DWAVE
// Elements that pass a test, in order (a scan of flags), or in any order (a counter).
StructuredBuffer<uint> In;
#ifdef APPEND
AppendStructuredBuffer<uint> Kept;
#else
RWStructuredBuffer<uint> Out;
#endif
RWByteAddressBuffer Count;
groupshared uint Flags[64];

bool keep(uint v) { return (v & 3) != 1 && firstbithigh(v) < 30; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint value = In[id];
  bool kept = keep(value);
#ifdef APPEND
  if (kept)
    Kept.Append(value);
  uint before;
  Count.InterlockedAdd(0, kept ? 1 : 0, before);
#elif defined(WAVE)
  uint count = WaveActiveCountBits(kept);
  uint place = WavePrefixCountBits(kept);
  uint start = 0;
  if (WaveIsFirstLane())
    Count.InterlockedAdd(group * 4, count, start);
  start = WaveReadLaneFirst(start);
  if (kept)
    Out[(group * 64 + start + place) & 127] = value;
#else
  Flags[thread] = kept ? 1 : 0;
  GroupMemoryBarrierWithGroupSync();
  uint place = 0;
  for (uint i = 0; i < thread; ++i)
    place += Flags[i];
  if (kept)
    Out[group * 64 + place] = value;
  if (thread == 63)
    Count.Store(group * 4, place + (kept ? 1 : 0));
#endif
}
