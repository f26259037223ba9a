// trellis: cs_6_0 main
// trellis.long: cs_6_0 main -DLONG
// trellis.decode: cs_6_0 main -DDECODE
// Codes of positions along a Z-order curve, of 30 or 63 bits, and back.
StructuredBuffer<float3> Positions;
#ifdef LONG
typedef uint64_t Code;
#else
typedef uint Code;
#endif
RWStructuredBuffer<Code> Codes;
#ifdef DECODE
RWStructuredBuffer<uint3> Cells;
#endif

Code spread(uint v) {
#ifdef LONG
  uint64_t x = v & 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
#else
  uint x = v & 0x3ff;
  x = (x | x << 16) & 0x30000ff;
  x = (x | x << 8) & 0x300f00f;
  x = (x | x << 4) & 0x30c30c3;
  return (x | x << 2) & 0x9249249;
#endif
}

uint gather(uint x) {
  x &= 0x9249249;
  x = (x ^ x >> 2) & 0x30c30c3;
  x = (x ^ x >> 4) & 0x300f00f;
  x = (x ^ x >> 8) & 0x30000ff;
  return (x ^ x >> 16) & 0x3ff;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef DECODE
  uint code = (uint)Codes[id];
  Cells[id] = uint3(gather(code), gather(code >> 1), gather(code >> 2));
#else
  uint3 cell = (uint3)clamp(Positions[id] * 16.0f + 32.0f, 0.0f, 1023.0f);
  Codes[id] = spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2;
#endif
}
