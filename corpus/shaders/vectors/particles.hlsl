// trellis: cs_6_9 main
// trellis.double: cs_6_9 main -DREAL=double
// trellis.groupshared: cs_6_9 main -DSHARED
// A state of twelve numbers per particle as one vector: steps of Runge and Kutta, kept in group memory.
#ifndef REAL
#define REAL float
#endif
typedef vector<REAL, 12> State;
StructuredBuffer<State> Before : register(t0);
RWStructuredBuffer<State> After : register(u0);
#ifdef SHARED
groupshared State Kept[32];
#endif

State slope(State s) {
  State d = 0;
  for (uint i = 0; i < 6; ++i) {
    d[i] = s[i + 6];
    d[i + 6] = -s[i] * (REAL)0.5f + s[(i + 1) % 6] * (REAL)0.125f;
  }
  return d;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  State s = Before[id];
  const REAL h = (REAL)0.25f;
#ifdef SHARED
  Kept[thread] = s;
  GroupMemoryBarrierWithGroupSync();
  s += Kept[thread ^ 1] * (REAL)0.0625f;
#endif
  State a = slope(s), b = slope(s + a * (h / 2)), c = slope(s + b * (h / 2)), d = slope(s + c * h);
  After[id] = s + (a + b * 2 + c * 2 + d) * (h / 6);
}
