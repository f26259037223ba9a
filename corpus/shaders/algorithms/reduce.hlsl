// trellis: cs_6_0 main
// trellis.extrema: cs_6_0 main -DEXTREMA
// trellis.double: cs_6_0 main -DVALUE=double
// trellis.half: cs_6_2 main -DVALUE=float16_t -enable-16bit-types
// Each thread adds several elements, then a tree of the group, then one number per group.
#ifndef VALUE
#define VALUE float
#endif
StructuredBuffer<VALUE> In;
RWStructuredBuffer<VALUE> Out;
cbuffer Sizes { uint Count; };
groupshared VALUE Shared[64];
#ifdef EXTREMA
groupshared VALUE Most[64];
#endif

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint last = min(Count, 256u);
  VALUE sum = 0;
#ifdef EXTREMA
  VALUE most = -1e30;
  sum = 1e30;
#endif
  for (uint i = group * 64 + thread; i < last; i += 128) {
#ifdef EXTREMA
    sum = min(sum, In[i]);
    most = max(most, In[i]);
#else
    sum += In[i];
#endif
  }
  Shared[thread] = sum;
#ifdef EXTREMA
  Most[thread] = most;
#endif
  GroupMemoryBarrierWithGroupSync();
  [unroll]
  for (uint half_ = 32; half_ > 0; half_ >>= 1) {
    if (thread < half_) {
#ifdef EXTREMA
      Shared[thread] = min(Shared[thread], Shared[thread + half_]);
      Most[thread] = max(Most[thread], Most[thread + half_]);
#else
      Shared[thread] += Shared[thread + half_];
#endif
    }
    GroupMemoryBarrierWithGroupSync();
  }
  if (thread == 0) {
    Out[group * 2] = Shared[0];
#ifdef EXTREMA
    Out[group * 2 + 1] = Most[0];
#endif
  }
}
