// trellis: lib_6_8 library
// trellis.od: lib_6_8 library -Od
// Particles as records: emission, collision in groups of a cell, and decals where they end.
struct Emit { uint count; uint seed; uint grid : SV_DispatchGrid; };
struct Particle { float3 place; float3 way; uint cell; };
struct Mark { float2 at; float size; };
RWStructuredBuffer<float4> Out : register(u0);
RWByteAddressBuffer Total : register(u1);
groupshared float3 Sum;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 1, 1)]
[NumThreads(32, 1, 1)]
void Spawn(DispatchNodeInputRecord<Emit> emit, uint id : SV_DispatchThreadID, [MaxRecords(32)] [NodeID("Collide")] NodeOutput<Particle> particles) {
  bool born = id < emit.Get().count;
  ThreadNodeOutputRecords<Particle> p = particles.GetThreadNodeOutputRecords(born ? 1 : 0);
  if (born) {
    uint h = (id ^ emit.Get().seed) * 2654435761u;
    p.Get().place = float3(h & 0xff, h >> 8 & 0xff, h >> 16 & 0xff) / 32;
    p.Get().way = float3(0, -1, (h >> 24) / 256.0f);
    p.Get().cell = h >> 28;
  }
  p.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(16, 1, 1)]
void Collide([MaxRecords(16)] RWGroupNodeInputRecords<Particle> p, uint thread : SV_GroupIndex,
             [MaxRecords(16)] [NodeID("Leave")] NodeOutput<Mark> marks) {
  uint count = p.Count();
  bool ends = false;
  if (thread < count) {
    float3 push = 0;
    for (uint i = 0; i < count; ++i) {
      float3 d = p[thread].place - p[i].place;
      float square = dot(d, d);
      if (i != thread && p[i].cell == p[thread].cell && square < 1)
        push += d * (1 - square);
    }
    p[thread].way += push;
    ends = p[thread].place.y + p[thread].way.y < 0;
    Total.InterlockedAdd(0, 1);
  }
  Barrier(NODE_INPUT_MEMORY, GROUP_SYNC | GROUP_SCOPE);
  ThreadNodeOutputRecords<Mark> mark = marks.GetThreadNodeOutputRecords(ends ? 1 : 0);
  if (ends) {
    mark.Get().at = p[thread].place.xz;
    mark.Get().size = length(p[thread].way);
  }
  mark.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leave(RWThreadNodeInputRecord<Mark> mark) {
  mark.Get().size *= 0.5f;
  uint place = ((uint)mark.Get().at.x * 8 + (uint)mark.Get().at.y) & 63;
  Out[place] = float4(mark.Get().at, mark.Get().size, 1);
}
