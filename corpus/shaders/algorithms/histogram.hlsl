// trellis: cs_6_0 main
// trellis.direct: cs_6_0 main -DDIRECT
// trellis.wave: cs_6_5 main -DWAVE
// A histogram of bytes: private bins, bins of the group, or one lane for all equal ones of a wave.
ByteAddressBuffer In;
RWByteAddressBuffer Bins;
groupshared uint Local[256];

void count(uint value) {
#if defined(DIRECT)
  Bins.InterlockedAdd(value * 4, 1);
#elif defined(WAVE)
  uint4 same = WaveMatch(value);
  uint all = countbits(same.x) + countbits(same.y) + countbits(same.z) + countbits(same.w);
  if (WaveMultiPrefixCountBits(true, same) == 0)
    InterlockedAdd(Local[value], all);
#else
  InterlockedAdd(Local[value], 1);
#endif
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  for (uint i = thread; i < 256; i += 64)
    Local[i] = 0;
  GroupMemoryBarrierWithGroupSync();
  uint word = In.Load(id * 4);
  for (uint b = 0; b < 4; ++b)
    count(word >> (b * 8) & 0xff);
  GroupMemoryBarrierWithGroupSync();
  for (uint j = thread; j < 256; j += 64)
    if (Local[j] != 0)
      Bins.InterlockedAdd(j * 4, Local[j]);
}
