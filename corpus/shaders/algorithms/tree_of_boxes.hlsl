// trellis: cs_6_0 main
// trellis.refit: cs_6_0 main -DREFIT
// A binary radix tree over sorted codes: the range and the split of each inner node; or boxes from the leaves up.
StructuredBuffer<uint> Codes;
RWStructuredBuffer<uint2> Children;
RWStructuredBuffer<uint> Parents;
RWStructuredBuffer<uint> Visits;
RWStructuredBuffer<int> Most;
#define COUNT 128

int common(int i, int j) {
  if (j < 0 || j >= COUNT)
    return -1;
  uint a = Codes[i], b = Codes[j];
  return a == b ? 32 + 31 - (int)firstbithigh((uint)(i ^ j) | 1) : 31 - (int)firstbithigh(a ^ b);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef REFIT
  uint node = id & 127;
  int value = (int)Codes[node];
  for (uint level = 0; level < 8; ++level) {
    uint parent = Parents[node & 127] & 127;
    InterlockedMax(Most[parent], value);
    uint before;
    InterlockedAdd(Visits[parent], 1, before);
    node = parent;
    if (node == 0)
      break;
  }
#else
  int i = (int)(id % (COUNT - 1));
  int way = common(i, i + 1) > common(i, i - 1) ? 1 : -1;
  int least = common(i, i - way);
  int limit = 2;
  while (limit < COUNT && common(i, i + limit * way) > least)
    limit *= 2;
  int length = 0;
  for (int step = limit / 2; step > 0; step /= 2)
    if (common(i, i + (length + step) * way) > least)
      length += step;
  int j = i + length * way;
  int shared_ = common(i, j);
  int split = 0;
  int s = length;
  do {
    s = (s + 1) / 2;
    if (common(i, i + (split + s) * way) > shared_)
      split += s;
  } while (s > 1);
  int middle = i + split * way + min(way, 0);
  Children[i] = uint2(middle, middle + 1);
#endif
}
