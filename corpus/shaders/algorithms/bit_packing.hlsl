// trellis: cs_6_0 main
// trellis.unpack: cs_6_0 main -DUNPACK
// trellis.packed: cs_6_6 main -DBYTES
// Numbers of few bits in words without gaps, across the words' borders; or four bytes in a word.
ByteAddressBuffer In;
RWByteAddressBuffer Out;
cbuffer Width { uint Bits; };

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#if defined(BYTES)
  int4 v = (int4)In.Load4(id * 16) - 128;
  int8_t4_packed clamped = pack_clamp_s8(v);
  int8_t4_packed cut = pack_s8(v);
  Out.Store3(id * 12, uint3((uint)clamped, (uint)cut, dot(unpack_s8s32(clamped), unpack_s8s32(cut))));
#else
  uint bits = clamp(Bits, 1u, 16u);
  uint mask = (1u << bits) - 1;
  uint at = id * bits, word = at / 32, bit = at % 32;
#ifdef UNPACK
  uint value = In.Load(word * 4) >> bit;
  if (bit + bits > 32)
    value |= In.Load(word * 4 + 4) << (32 - bit);
  Out.Store(id * 4, value & mask);
#else
  uint value = In.Load(id * 4) & mask, before;
  Out.InterlockedOr(word * 4, value << bit, before);
  if (bit + bits > 32)
    Out.InterlockedOr(word * 4 + 4, value >> (32 - bit), before);
#endif
#endif
}
