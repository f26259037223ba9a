// trellis: lib_6_8 library
// trellis.od: lib_6_8 library -Od
// A scene's tree is walked by a node that outputs to itself; what is seen becomes draws.
struct Branch { uint node; uint level; };
struct Leaf { uint first; uint count; uint grid : SV_DispatchGrid; };
struct Box { float3 low; uint child; float3 high; uint count; };
StructuredBuffer<Box> Boxes : register(t0);
RWStructuredBuffer<uint> Draws : register(u0);
cbuffer View : register(b0) { float4 Planes[4]; };

bool seen(Box b) {
  for (uint i = 0; i < 4; ++i) {
    float3 corner = select(Planes[i].xyz > 0, b.high, b.low);
    if (dot(Planes[i].xyz, corner) + Planes[i].w < 0)
      return false;
  }
  return true;
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(6)]
void Walk(ThreadNodeInputRecord<Branch> branch, [MaxRecords(2)] [NodeID("Walk")] NodeOutput<Branch> deeper,
          [MaxRecords(1)] [NodeID("Draw")] NodeOutput<Leaf> leaves) {
  Box box = Boxes[branch.Get().node & 63];
  bool visible = seen(box);
  bool inner = visible && box.count == 0 && GetRemainingRecursionLevels() > 0;
  ThreadNodeOutputRecords<Branch> next = deeper.GetThreadNodeOutputRecords(inner ? 2 : 0);
  if (inner) {
    next[0].node = box.child;
    next[1].node = box.child + 1;
    next[0].level = next[1].level = branch.Get().level + 1;
  }
  next.OutputComplete();
  bool leaf = visible && box.count != 0;
  ThreadNodeOutputRecords<Leaf> found = leaves.GetThreadNodeOutputRecords(leaf ? 1 : 0);
  if (leaf) {
    found.Get().first = box.child;
    found.Get().count = box.count;
    found.Get().grid = min((box.count + 31) / 32, 8u);
  }
  found.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 1, 1)]
[NumThreads(32, 1, 1)]
void Draw(DispatchNodeInputRecord<Leaf> leaf, uint thread : SV_DispatchThreadID) {
  if (thread < leaf.Get().count) {
    uint old;
    InterlockedOr(Draws[(leaf.Get().first + thread) / 32 & 63], 1u << (leaf.Get().first + thread & 31), old);
  }
}
