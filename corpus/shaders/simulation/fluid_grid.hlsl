// trellis.advect: cs_6_0 advect
// trellis.divergence: cs_6_0 divergence
// trellis.jacobi: cs_6_0 jacobi
// trellis.project: cs_6_0 project
// trellis.vorticity: cs_6_0 vorticity
// The passes of a fluid solver on a grid of 16 by 16 cells.
#define SIZE 16
StructuredBuffer<float2> Velocity;
StructuredBuffer<float> Pressure;
StructuredBuffer<float> Source;
RWStructuredBuffer<float2> VelocityOut;
RWStructuredBuffer<float> ScalarOut;
cbuffer Step { float Delta; };

uint at(int2 cell) {
  cell = clamp(cell, 0, SIZE - 1);
  return cell.y * SIZE + cell.x;
}

float2 between(float2 place) {
  float2 low = floor(place);
  float2 w = place - low;
  int2 c = (int2)low;
  return lerp(lerp(Velocity[at(c)], Velocity[at(c + int2(1, 0))], w.x),
              lerp(Velocity[at(c + int2(0, 1))], Velocity[at(c + 1)], w.x), w.y);
}

[numthreads(8, 8, 1)]
void advect(uint2 id : SV_DispatchThreadID) {
  id &= SIZE - 1;
  float2 from = clamp((float2)id - Delta * Velocity[at(id)], -64.0f, 64.0f);
  VelocityOut[at(id)] = between(from) * 0.999f;
}

[numthreads(8, 8, 1)]
void divergence(int2 id : SV_DispatchThreadID) {
  id &= SIZE - 1;
  ScalarOut[at(id)] = 0.5f * (Velocity[at(id + int2(1, 0))].x - Velocity[at(id - int2(1, 0))].x +
                              Velocity[at(id + int2(0, 1))].y - Velocity[at(id - int2(0, 1))].y);
}

groupshared float Halo[10][10];

[numthreads(8, 8, 1)]
void jacobi(int2 thread : SV_GroupThreadID, int2 group : SV_GroupID) {
  int2 base = (group & 1) * 8 - 1;
  for (int i = thread.y * 8 + thread.x; i < 100; i += 64)
    Halo[i / 10][i % 10] = Pressure[at(base + int2(i % 10, i / 10))];
  GroupMemoryBarrierWithGroupSync();
  float sum = Halo[thread.y][thread.x + 1] + Halo[thread.y + 2][thread.x + 1] + Halo[thread.y + 1][thread.x] +
              Halo[thread.y + 1][thread.x + 2];
  int2 cell = base + thread + 1;
  ScalarOut[at(cell)] = (sum - Source[at(cell)]) * 0.25f;
}

[numthreads(8, 8, 1)]
void project(int2 id : SV_DispatchThreadID) {
  id &= SIZE - 1;
  float2 slope = float2(Pressure[at(id + int2(1, 0))] - Pressure[at(id - int2(1, 0))],
                        Pressure[at(id + int2(0, 1))] - Pressure[at(id - int2(0, 1))]);
  bool2 wall = or(id == 0, id == SIZE - 1);
  VelocityOut[at(id)] = select(wall, 0, Velocity[at(id)] - 0.5f * slope);
}

float whirl(int2 c) {
  return Velocity[at(c + int2(1, 0))].y - Velocity[at(c - int2(1, 0))].y - Velocity[at(c + int2(0, 1))].x +
         Velocity[at(c - int2(0, 1))].x;
}

[numthreads(8, 8, 1)]
void vorticity(int2 id : SV_DispatchThreadID) {
  id &= SIZE - 1;
  float2 slope = float2(abs(whirl(id + int2(1, 0))) - abs(whirl(id - int2(1, 0))),
                        abs(whirl(id + int2(0, 1))) - abs(whirl(id - int2(0, 1))));
  slope /= length(slope) + 0.001f;
  VelocityOut[at(id)] = Velocity[at(id)] + Delta * whirl(id) * float2(slope.y, -slope.x);
}
