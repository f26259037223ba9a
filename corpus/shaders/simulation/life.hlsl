// trellis: cs_6_0 main
// trellis.bits: cs_6_0 main -DBITS
// Cells that live and die, one per word or 32 in a word with a sum of bits by half adders.
StructuredBuffer<uint> Now;
RWStructuredBuffer<uint> Next;

#ifdef BITS
void add(inout uint low, inout uint high, inout uint top, uint bit) {
  uint carry = low & bit;
  low ^= bit;
  top |= high & carry;
  high ^= carry;
}
#endif

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
#ifdef BITS
  uint word = id.x, row = id.y & 7;
  uint low = 0, high = 0, top = 0;
  for (int y = -1; y <= 1; ++y) {
    uint start = ((row + y) & 7) * 16;
    uint middle = Now[start + word];
    uint left = middle << 1 | Now[start + ((word - 1) & 15)] >> 31;
    uint right = middle >> 1 | Now[start + ((word + 1) & 15)] << 31;
    add(low, high, top, left);
    add(low, high, top, right);
    if (y != 0)
      add(low, high, top, middle);
  }
  Next[row * 16 + word] = ~top & high & (low | Now[row * 16 + word]);
#else
  uint sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      if ((x | y) != 0)
        sum += Now[((id.y + y) & 15) * 16 + ((id.x + x) & 15)] & 1;
  uint alive = Now[(id.y & 15) * 16 + id.x] & 1;
  Next[(id.y & 15) * 16 + id.x] = sum == 3 || (sum == 2 && alive) ? 1 : 0;
#endif
}
