// trellis: cs_6_0 main
// trellis.packed: cs_6_2 main -DPACKED -enable-16bit-types
// Particles are born from a list of dead ones; their numbers are counted down.
struct Particle {
#ifdef PACKED
  half3 position;
  half age;
  half3 velocity;
  uint16_t kind;
#else
  float3 position;
  float age;
  float3 velocity;
  uint kind;
#endif
};
cbuffer Emitter {
  float3 Origin;
  float Spread;
  uint Count;
  uint Seed;
};
RWStructuredBuffer<Particle> Particles;
ConsumeStructuredBuffer<uint> Dead;
RWByteAddressBuffer Alive;

float random(inout uint state) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) * (1.0f / 16777216.0f);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id >= min(Count, 48u))
    return;
  uint slot = Dead.Consume() & 127;
  uint state = id * 9781 + Seed;
  Particle p;
  p.position = Origin + Spread * (float3(random(state), random(state), random(state)) - 0.5f);
  p.age = 0;
  p.velocity = float3(0, 1 + random(state), 0);
  p.kind = id % 3;
  Particles[slot] = p;
  uint place;
  Alive.InterlockedAdd(0, 1, place);
}
