// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_5 pixel
// trellis.as_sorted: as_6_5 amplification -DSORTED
// trellis.layers: ms_6_5 mesh -DLAYERS
// Particles: those alive are gathered, sorted by depth if wanted, and become quads of a mesh.
struct Particle { float3 place; float age; float4 color; };
struct Payload { uint count; uint order[64]; };
struct Vertex { float4 place : SV_Position; float2 uv : UV; };
struct Quad {
  float4 color : COLOR;
#ifdef LAYERS
  uint layer : SV_RenderTargetArrayIndex;
#endif
};
StructuredBuffer<Particle> Particles : register(t0);
cbuffer View : register(b0) { float4x4 Clip; };
groupshared Payload Shared;
groupshared float Depth[64];

[numthreads(64, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  Particle p = Particles[id & 63];
  if (thread == 0)
    Shared.count = 0;
  Depth[thread] = mul(Clip, float4(p.place, 1)).w;
  GroupMemoryBarrierWithGroupSync();
  bool alive = p.age < 1 && Depth[thread] > 0;
#ifdef SORTED
  uint rank = 0;
  for (uint i = 0; i < 64; ++i)
    rank += Depth[i] > Depth[thread] || (Depth[i] == Depth[thread] && i < thread) ? 1 : 0;
  Shared.order[rank] = alive ? id : ~0u;
  if (alive)
    InterlockedMax(Shared.count, rank + 1);
#else
  if (alive) {
    uint place;
    InterlockedAdd(Shared.count, 1, place);
    Shared.order[place] = id;
  }
#endif
  GroupMemoryBarrierWithGroupSync();
  DispatchMesh((Shared.count + 15) / 16, 1, 1, Shared);
}

[outputtopology("triangle")]
[numthreads(16, 4, 1)]
void mesh(uint2 thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload p, out vertices Vertex v[64],
          out primitives Quad q[32], out indices uint3 t[32]) {
  uint left = p.count - min(group * 16, p.count), count = min(left, 16u);
  SetMeshOutputCounts(count * 4, count * 2);
  if (thread.x >= count)
    return;
  uint number = p.order[group * 16 + thread.x];
  Particle a = Particles[number & 63];
  float2 corner = float2(thread.y & 1, thread.y >> 1);
  uint at = thread.x * 4 + thread.y;
  v[at].place = number == ~0u ? 0 : mul(Clip, float4(a.place, 1)) + float4(corner - 0.5f, 0, 0) * (1 - a.age);
  v[at].uv = corner;
  if (thread.y < 2) {
    uint i = thread.x * 2 + thread.y;
    t[i] = thread.x * 4 + (thread.y ? uint3(1, 3, 2) : uint3(0, 1, 2));
    q[i].color = a.color;
#ifdef LAYERS
    q[i].layer = number & 1;
#endif
  }
}

float4 pixel(Vertex v, Quad q) : SV_Target {
  float r = length(v.uv - 0.5f) * 2;
  if (r > 1)
    discard;
  return q.color * (1 - r);
}
