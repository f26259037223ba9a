// trellis.density: cs_6_0 density
// trellis.forces: cs_6_0 forces
// Smoothed particle hydrodynamics with a grid of cells: density, then pressure and viscosity.
struct Drop { float3 place; float mass; float3 velocity; float density; };
RWStructuredBuffer<Drop> Drops;
StructuredBuffer<uint2> Cells;
static const float H = 4.0f;

uint cellOf(int3 c) { return (uint)(c.x * 73 ^ c.y * 19 ^ c.z * 83) & 31; }

[numthreads(64, 1, 1)]
void density(uint id : SV_DispatchThreadID) {
  float3 p = Drops[id].place;
  int3 cell = (int3)clamp(p * 0.25f, -100.0f, 100.0f);
  float sum = 0;
  for (int z = -1; z <= 1; ++z) {
    for (int x = -1; x <= 1; ++x) {
      uint2 range = Cells[cellOf(cell + int3(x, 0, z))] & 15;
      for (uint i = range.x; i < range.y; ++i) {
        float3 d = Drops[i].place - p;
        float w = H * H - dot(d, d);
        if (w > 0)
          sum += Drops[i].mass * w * w * w;
      }
    }
  }
  Drops[id].density = sum * 1.5667f / pow(H, 9.0f);
}

[numthreads(64, 1, 1)]
void forces(uint id : SV_DispatchThreadID) {
  Drop me = Drops[id];
  float3 force = 0;
  for (uint i = 0; i < 64; ++i) {
    float3 d = me.place - Drops[i].place;
    float r = length(d);
    if (r <= 1e-3f || r >= H)
      continue;
    float shared_ = 0.5f * (me.density + Drops[i].density) - 1.0f;
    force += d / r * shared_ * (H - r) * (H - r) + (Drops[i].velocity - me.velocity) * (H - r) * 0.1f;
  }
  GroupMemoryBarrierWithGroupSync();
  Drops[id].velocity = me.velocity + clamp(force, -10.0f, 10.0f) * 0.01f;
}
