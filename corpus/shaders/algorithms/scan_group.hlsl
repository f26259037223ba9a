// trellis: cs_6_0 main
// trellis.max: cs_6_0 main -DOP=max -DZERO=0
// trellis.min: cs_6_2 main -DOP=min -DZERO=0xffffffff
// Prefix scan of a group in log steps, double-buffered in groupshared memory.
#ifndef OP
#define OP add
#define ZERO 0
#endif
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Sums : register(u1);
groupshared uint Shared[2][64];

uint add(uint a, uint b) { return a + b; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint from = 0;
  Shared[0][thread] = In[id];
  for (uint step = 1; step < 64; step *= 2) {
    GroupMemoryBarrierWithGroupSync();
    uint value = Shared[from][thread];
    if (thread >= step)
      value = OP(value, Shared[from][thread - step]);
    from ^= 1;
    Shared[from][thread] = value;
  }
  GroupMemoryBarrierWithGroupSync();
  Out[id] = thread == 0 ? ZERO : Shared[from][thread - 1];
  if (thread == 63)
    Sums[group] = Shared[from][63];
}
