// trellis: cs_6_0 main
// trellis.pairs: cs_6_0 main -DPAIRS
// trellis.descending: cs_6_0 main -DDOWN
// Bitonic sort of 128 elements by 64 threads, with values that follow their keys.
StructuredBuffer<uint> In;
RWStructuredBuffer<uint> Out;
groupshared uint Keys[128];
#ifdef PAIRS
groupshared uint Values[128];
RWStructuredBuffer<uint> Order;
#endif

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint base = group * 128;
  for (uint i = thread; i < 128; i += 64) {
    Keys[i] = In[base + i];
#ifdef PAIRS
    Values[i] = base + i;
#endif
  }
  for (uint size = 2; size <= 128; size *= 2) {
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      GroupMemoryBarrierWithGroupSync();
      uint low = 2 * stride * (thread / stride) + thread % stride;
      uint high = low + stride;
      bool up = (low & size) == 0;
#ifdef DOWN
      up = !up;
#endif
#ifdef PAIRS
      bool after = Keys[low] > Keys[high] || (Keys[low] == Keys[high] && Values[low] > Values[high]);
#else
      bool after = Keys[low] > Keys[high];
#endif
      if (after == up) {
        uint key = Keys[low];
        Keys[low] = Keys[high];
        Keys[high] = key;
#ifdef PAIRS
        uint value = Values[low];
        Values[low] = Values[high];
        Values[high] = value;
#endif
      }
    }
  }
  GroupMemoryBarrierWithGroupSync();
  for (uint j = thread; j < 128; j += 64) {
    Out[base + j] = Keys[j];
#ifdef PAIRS
    Order[base + j] = Values[j];
#endif
  }
}
