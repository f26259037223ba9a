// trellis: lib_6_8 library
// Squares of a picture are split while their corners differ: empty records count, groups share a queue.
struct Square { uint x; uint y; uint size; };
RWTexture2D<uint> Picture : register(u0);
RWStructuredBuffer<uint> Counts : register(u1);

uint steps(uint2 p) {
  float2 c = (float2)p / 32 - float2(1.5f, 1), z = c;
  uint i = 0;
  for (; i < 32 && dot(z, z) < 4; ++i)
    z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
  return i;
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(4)]
void Split(ThreadNodeInputRecord<Square> square, [MaxRecords(4)] [NodeID("Split")] NodeOutput<Square> smaller,
           [MaxRecords(1)] [NodeID("Fill")] NodeOutput<Square> same, [MaxRecords(1)] [NodeID("Tally")] EmptyNodeOutput tally) {
  Square s = square.Get();
  uint a = steps(uint2(s.x, s.y)), b = steps(uint2(s.x + s.size, s.y)), c = steps(uint2(s.x, s.y + s.size)),
       d = steps(uint2(s.x + s.size, s.y + s.size));
  bool equal = a == b && b == c && c == d;
  bool split = !equal && s.size > 1 && GetRemainingRecursionLevels() != 0;
  ThreadNodeOutputRecords<Square> next = smaller.GetThreadNodeOutputRecords(split ? 4 : 0);
  for (uint i = 0; i < 4 && split; ++i) {
    next[i].size = s.size / 2;
    next[i].x = s.x + (i & 1) * s.size / 2;
    next[i].y = s.y + (i >> 1) * s.size / 2;
  }
  next.OutputComplete();
  ThreadNodeOutputRecords<Square> fill = same.GetThreadNodeOutputRecords(split ? 0 : 1);
  if (!split)
    fill.Get() = s;
  fill.OutputComplete();
  tally.ThreadIncrementOutputCount(split ? 1 : 0);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 8, 1)]
void Fill(DispatchNodeInputRecord<Square> square, uint2 thread : SV_GroupThreadID) {
  Square s = square.Get();
  uint color = steps(uint2(s.x, s.y));
  for (uint y = thread.y; y < s.size; y += 8)
    for (uint x = thread.x; x < s.size; x += 8)
      Picture[uint2(s.x + x, s.y + y) & 63] = color;
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(16, 1, 1)]
void Tally([MaxRecords(16)] EmptyNodeInput input, uint thread : SV_GroupIndex) {
  if (thread == 0)
    InterlockedAdd(Counts[0], input.Count());
}
