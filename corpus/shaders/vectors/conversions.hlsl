// trellis: cs_6_9 main -enable-16bit-types
// Conversions between long vectors of different types, their bits, and shuffles to and from short
// ones.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 64, to = id.x * 512;
  vector<float, 6> f = In.Load<vector<float, 6> >(at);
  vector<int, 6> i = In.Load<vector<int, 6> >(at + 24);
  Out.Store<vector<int, 6> >(to, (vector<int, 6>)f);
  Out.Store<vector<uint, 6> >(to + 24, (vector<uint, 6>)abs(f));
  Out.Store<vector<float, 6> >(to + 48, (vector<float, 6>)i);
  Out.Store<vector<double, 6> >(to + 72, (vector<double, 6>)f + (vector<double, 6>)i);
  Out.Store<vector<int64_t, 6> >(to + 120, (vector<int64_t, 6>)i);
  Out.Store<vector<uint64_t, 6> >(to + 168, (vector<uint64_t, 6>)(vector<uint, 6>)i);
  Out.Store<vector<int16_t, 6> >(to + 216, (vector<int16_t, 6>)i);
  Out.Store<vector<float16_t, 6> >(to + 228, (vector<float16_t, 6>)f);
  Out.Store<vector<uint, 6> >(to + 240, asuint(f) ^ asuint(i));
  Out.Store<vector<float, 6> >(to + 264, asfloat(i & 0x3FFFFFFF));
  Out.Store<vector<uint, 6> >(to + 288, (vector<uint, 6>)(vector<bool, 6>)(i & 2));
  vector<float, 4> low = (vector<float, 4>)f;
  vector<float, 6> wide = vector<float, 6>(low, f[4], low.x);
  Out.Store<vector<float, 6> >(to + 312, wide * 2);
  Out.Store<float4>(to + 336, low.wzyx + f[5]);
  Out.Store<vector<uint16_t, 6> >(to + 352, asuint16((vector<float16_t, 6>)f));
}
