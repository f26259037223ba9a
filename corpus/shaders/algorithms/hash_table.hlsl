// trellis: cs_6_0 main
// trellis.lookup: cs_6_0 main -DLOOKUP
// trellis.long: cs_6_6 main -DLONG
// Open addressing: insertion by compare-exchange, lookup with linear probes.
RWStructuredBuffer<uint> Found;
StructuredBuffer<uint> In;
#ifdef LONG
RWByteAddressBuffer Table;
#else
RWStructuredBuffer<uint> Keys;
#endif
#define SLOTS 256

uint mix(uint h) {
  h ^= h >> 16;
  h *= 0x7feb352d;
  h ^= h >> 15;
  h *= 0x846ca68b;
  return h ^ h >> 16;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint key = In[id] | 1;
  uint slot = mix(key) & (SLOTS - 1);
  uint probes = 0;
  for (; probes < SLOTS; ++probes) {
#if defined(LONG)
    uint64_t seen;
    Table.InterlockedCompareExchange64(slot * 8, 0, (uint64_t)key << 32 | key, seen);
    if (seen == 0 || (uint)(seen >> 32) == key)
      break;
#elif defined(LOOKUP)
    uint seen = Keys[slot];
    if (seen == key || seen == 0)
      break;
#else
    uint seen;
    InterlockedCompareExchange(Keys[slot], 0, key, seen);
    if (seen == 0 || seen == key)
      break;
#endif
    slot = (slot + 1) & (SLOTS - 1);
  }
  Found[id] = probes < SLOTS ? 1 : 0;
}
