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
// ---- printed ----
// dxc -T cs_6_0 -E main
ByteAddressBuffer In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID)
{
    uint t0 = dispatchThreadID.x << 4;
    uint v0 = ~In.Load(t0);
    uint v1 = 0u;
    while (true) {
        uint t1 = v0 >> 1u;
        v0 = (v0 & 1) != 0u ? t1 ^ 0xEDB88320u : t1;
        v1 += 1;
        if (v1 == 32u) {
            break;
        }
    }
    uint v2 = In.Load(t0 | 4) ^ v0;
    uint v3 = 0u;
    while (true) {
        uint t2 = v2 >> 1u;
        v2 = (v2 & 1) != 0u ? t2 ^ 0xEDB88320u : t2;
        v3 += 1;
        if (v3 == 32u) {
            break;
        }
    }
    uint v4 = In.Load(t0 | 8) ^ v2;
    uint v5 = 0u;
    while (true) {
        uint t3 = v4 >> 1u;
        v4 = (v4 & 1) != 0u ? t3 ^ 0xEDB88320u : t3;
        v5 += 1;
        if (v5 == 32u) {
            break;
        }
    }
    uint v6 = In.Load(t0 | 12) ^ v4;
    uint v7 = 0u;
    while (true) {
        uint t4 = v6 >> 1u;
        v6 = (v6 & 1) != 0u ? t4 ^ 0xEDB88320u : t4;
        v7 += 1;
        if (v7 == 32u) {
            break;
        }
    }
    Out[dispatchThreadID.x] = ~v6;
}
