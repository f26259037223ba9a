// trellis.as_tree: as_6_5 tree
// trellis.as_screen: as_6_5 screen
// trellis.as_instances: as_6_5 instances
// trellis.as_occlusion: as_6_5 occlusion
// trellis.as_sm66: as_6_6 screen -DHEAP
// trellis.as_sm67: as_6_7 tree
// Decisions of an amplification shader: a walk down a tree, size on the screen, ranges of instances, a depth pyramid.
struct Node { float3 middle; float error; uint first; uint count; float radius; float parent; };
struct Payload { uint base; uint4 ranges[8]; };
StructuredBuffer<Node> Nodes : register(t0);
StructuredBuffer<float3x4> Instances : register(t1);
Texture2D<float> Pyramid : register(t2);
RWStructuredBuffer<uint> Seen : register(u0);
SamplerState Point : register(s0);
cbuffer View : register(b0) { float4x4 Clip; float3 Eye; float Limit; uint Place; };
groupshared Payload Shared;
groupshared uint Total;

[numthreads(8, 1, 1)]
void tree(uint thread : SV_GroupThreadID, uint group : SV_GroupID) {
  uint node = thread, depth = 0, found = 0;
  uint stack[8];
  uint top = 0;
  stack[top++] = group * 8 + thread;
  while (top > 0 && found < 4) {
    Node n = Nodes[stack[--top] & 63];
    float size = n.error / max(distance(n.middle, Eye), 0.1f);
    if (size < Limit || n.count == 0) {
      Shared.ranges[thread][found++] = n.first;
      continue;
    }
    for (uint c = 0; c < 2 && top < 8; ++c)
      stack[top++] = n.first + c;
    if (++depth > 16)
      break;
  }
  uint all = WaveActiveSum(found);
  if (thread == 0)
    Shared.base = group;
  DispatchMesh(all, 1, 1, Shared);
}

[numthreads(32, 1, 1)]
void screen(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
#ifdef HEAP
  StructuredBuffer<Node> List = ResourceDescriptorHeap[Place];
  Node n = List[id & 63];
#else
  Node n = Nodes[id & 63];
#endif
  float4 p = mul(Clip, float4(n.middle, 1));
  float own = n.error / max(p.w - n.radius, 0.01f), parent = n.parent / max(p.w - n.radius, 0.01f);
  bool chosen = own <= Limit && parent > Limit;
  uint4 votes = WaveActiveBallot(chosen);
  if (thread < 8)
    Shared.ranges[thread] = votes;
  Shared.base = id;
  DispatchMesh(countbits(votes.x), 1, 1, Shared);
}

[numthreads(32, 1, 1)]
void instances(uint thread : SV_GroupThreadID, uint2 group : SV_GroupID) {
  if (thread == 0)
    Total = 0;
  GroupMemoryBarrierWithGroupSync();
  float3x4 m = Instances[(group.x * 32 + thread) & 63];
  float far = distance(float3(m._14, m._24, m._34), Eye);
  uint level = far < 10 ? 0 : far < 40 ? 1 : far < 160 ? 2 : 3;
  uint before = 0;
  if (level < 3)
    InterlockedAdd(Total, 8u >> level, before);
  if (thread < 8)
    Shared.ranges[thread] = uint4(level, before, group);
  if (thread == 0)
    Shared.base = level;
  GroupMemoryBarrierWithGroupSync();
  uint total = Total;
  DispatchMesh(min(total, 64u), total > 32 ? 2 : 1, 1, Shared);
}

[numthreads(32, 1, 1)]
void occlusion(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  Node n = Nodes[id & 63];
  float4 c = mul(Clip, float4(n.middle, 1));
  float size = n.radius / max(c.w, 0.01f);
  float level = ceil(log2(max(size * 64, 1)));
  float2 uv = c.xy / max(c.w, 0.01f) * 0.5f + 0.5f;
  float far = Pyramid.SampleLevel(Point, uv, level);
  bool seen = c.z / max(c.w, 0.01f) - size <= far;
  uint before;
  InterlockedOr(Seen[(id & 63) / 32], seen ? 1u << (id & 31) : 0, before);
  bool fresh = seen && (before >> (id & 31) & 1) == 0;
  uint count = WaveActiveCountBits(fresh);
  Shared.base = WaveActiveMin(fresh ? id : ~0u);
  DispatchMesh(count, 1, 1, Shared);
}
