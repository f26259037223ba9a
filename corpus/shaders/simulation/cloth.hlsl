// trellis: cs_6_0 main
// trellis.iterations: cs_6_0 main -DITERATIONS=4
// Verlet integration and constraints of a cloth of 8 by 8 points within one group.
#ifndef ITERATIONS
#define ITERATIONS 1
#endif
struct Point { float3 now; float inverseMass; float3 before; float rest; };
RWStructuredBuffer<Point> Points;
cbuffer Step { float Delta; float3 Wind; };
groupshared float4 Place[64];

float3 pulled(uint from, int2 cell, int2 by, float rest) {
  int2 other = cell + by;
  if (any(other < 0) || any(other > 7))
    return 0;
  uint to = other.y * 8 + other.x;
  float3 d = Place[to].xyz - Place[from].xyz;
  float weight = Place[from].w + Place[to].w;
  float far = length(d);
  if (weight <= 0 || far < 1e-4f)
    return 0;
  return d * ((far - rest * length((float2)by)) / far * Place[from].w / weight * 0.25f);
}

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint id : SV_DispatchThreadID) {
  Point p = Points[id];
  float3 next = p.now;
  if (p.inverseMass > 0)
    next += (p.now - p.before) * 0.98f + (Wind - float3(0, 9.8f, 0)) * Delta * Delta;
  Place[thread] = float4(next, saturate(p.inverseMass));
  int2 cell = int2(thread & 7, thread >> 3);
  [loop]
  for (uint i = 0; i < ITERATIONS; ++i) {
    GroupMemoryBarrierWithGroupSync();
    float3 sum = 0;
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        if (x != 0 || y != 0)
          sum += pulled(thread, cell, int2(x, y), 1.0f);
    GroupMemoryBarrierWithGroupSync();
    Place[thread].xyz += sum;
  }
  GroupMemoryBarrierWithGroupSync();
  p.before = p.now;
  p.now = Place[thread].xyz;
  Points[id] = p;
}
