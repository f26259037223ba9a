// trellis: cs_6_0 main
// trellis.pairs: cs_6_0 main -DVALUE=uint2
// trellis.real: cs_6_0 main -DVALUE=float
// Work-efficient exclusive scan: a sum tree up, then down, with padding against bank conflicts.
#ifndef VALUE
#define VALUE uint
#endif
#define PLACE(i) ((i) + ((i) >> 4))
StructuredBuffer<VALUE> In;
RWStructuredBuffer<VALUE> Out;
groupshared VALUE Tree[PLACE(128)];

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint base = group * 128;
  Tree[PLACE(thread)] = In[base + thread];
  Tree[PLACE(thread + 64)] = In[base + thread + 64];
  uint offset = 1;
  for (uint width = 64; width > 0; width >>= 1) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < width)
      Tree[PLACE(offset * (2 * thread + 2) - 1)] += Tree[PLACE(offset * (2 * thread + 1) - 1)];
    offset *= 2;
  }
  if (thread == 0)
    Tree[PLACE(127)] = 0;
  for (uint count = 1; count < 128; count *= 2) {
    offset >>= 1;
    GroupMemoryBarrierWithGroupSync();
    if (thread < count) {
      uint left = PLACE(offset * (2 * thread + 1) - 1), right = PLACE(offset * (2 * thread + 2) - 1);
      VALUE t = Tree[left];
      Tree[left] = Tree[right];
      Tree[right] += t;
    }
  }
  GroupMemoryBarrierWithGroupSync();
  Out[base + thread] = Tree[PLACE(thread)];
  Out[base + thread + 64] = Tree[PLACE(thread + 64)];
}
