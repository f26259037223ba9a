// trellis: cs_6_9 main -enable-16bit-types
// Numbers of whole vectors: any, all and dot products, of few and of many components.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 64, to = id.x * 32;
  vector<float, 8> a = In.Load<vector<float, 8> >(at), b = In.Load<vector<float, 8> >(at + 32);
  float3 c = In.Load<float3>(at), d = In.Load<float3>(at + 16);
  vector<float16_t, 5> h = (vector<float16_t, 5>)In.Load<vector<float, 5> >(at);
  vector<int, 6> i = In.Load<vector<int, 6> >(at + 8);
  Out.Store<float>(to, dot(a, b));
  Out.Store<float>(to + 4, dot(c, d));
  Out.Store<float>(to + 8, dot(h, h));
  uint flags = any(a > b) ? 1 : 0;
  flags |= all(a > -b) ? 2 : 0;
  flags |= any(c < d) ? 4 : 0;
  flags |= all(c < d + 4) ? 8 : 0;
  flags |= all(i) ? 16 : 0;
  flags |= any(i & 8) ? 32 : 0;
  flags |= all((a > 0) == (b > 0)) ? 64 : 0;
  Out.Store<uint>(to + 12, flags);
  Out.Store<int>(to + 16, dot(i & 15, i >> 28));
}
