// trellis: cs_6_4 main
// trellis.unsigned: cs_6_4 main -DUNSIGNED
// trellis.half: cs_6_4 main -DHALF -enable-16bit-types
// trellis.sm67: cs_6_7 main
// trellis.sm68: cs_6_8 main -DUNSIGNED
// Products of packed bytes or halves that are added to a sum, then scaled and packed again.
ByteAddressBuffer Inputs : register(t0);
ByteAddressBuffer Weights : register(t1);
RWByteAddressBuffer Results : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef HALF
  float sum = 0;
  for (uint k = 0; k < 8; ++k) {
    uint a = Inputs.Load(k * 4), b = Weights.Load((id * 8 + k) * 4 & 1023);
    half2 x = half2((float2)f16tof32(uint2(a, a >> 16) & 0x3fff)), y = half2((float2)f16tof32(uint2(b, b >> 16) & 0x3fff));
    sum = dot2add(x, y, sum);
  }
  Results.Store(id * 4, asuint(sum));
#elif defined(UNSIGNED)
  uint sum = 0;
  for (uint k = 0; k < 8; ++k)
    sum = dot4add_u8packed(Inputs.Load(k * 4), Weights.Load((id * 8 + k) * 4 & 1023), sum);
  Results.Store(id * 4, min(sum >> 8, 255u));
#else
  int sum = 0;
  for (uint k = 0; k < 8; ++k)
    sum = dot4add_i8packed(Inputs.Load(k * 4), Weights.Load((id * 8 + k) * 4 & 1023), sum);
  Results.Store(id * 4, (uint)clamp(sum / 64, -128, 127));
#endif
}
