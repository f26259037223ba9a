// trellis: cs_6_0 main
// trellis.table: cs_6_0 main -DTABLE
// The checksum of each thread's block, bit by bit or with a table of 16 entries.
ByteAddressBuffer In;
RWStructuredBuffer<uint> Out;
#ifdef TABLE
static const uint Nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
#endif

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint crc = ~0u;
  for (uint i = 0; i < 4; ++i) {
    uint word = In.Load((id * 4 + i) * 4);
#ifdef TABLE
    for (uint n = 0; n < 8; ++n, word >>= 4)
      crc = crc >> 4 ^ Nibbles[(crc ^ word) & 15];
#else
    crc ^= word;
    for (uint bit = 0; bit < 32; ++bit)
      crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
#endif
  }
  Out[id] = ~crc;
}
