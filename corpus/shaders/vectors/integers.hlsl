// trellis: cs_6_9 main -enable-16bit-types
// Integer arithmetic and operations on bits of vectors: 16, 32 and 64 bits.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

template <typename T>
T arithmetic(T a, T b) {
  T r = a * b + (a ^ b) - (a & b) + (a | ~b);
  r += min(a, b) + max(a, b) + (a >> 3) + (b << 2);
  return r + select(a < b, a, b) + a / ((b & 7) + 3) + a % ((b & 3) + 5);
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 128, to = id.x * 512;
  vector<uint, 5> a = In.Load<vector<uint, 5> >(at), b = In.Load<vector<uint, 5> >(at + 20);
  vector<int, 5> sa = (vector<int, 5>)a, sb = (vector<int, 5>)b;
  Out.Store<vector<uint, 5> >(to, arithmetic(a, b));
  Out.Store<vector<int, 5> >(to + 20, arithmetic(sa, sb));
  Out.Store<vector<uint, 5> >(to + 40, reversebits(a) + countbits(b) + firstbitlow(a) + firstbithigh(b));
  Out.Store<vector<int, 5> >(to + 60, firstbithigh(sa) * sign(sb) + abs(sa));
  vector<uint64_t, 3> l = In.Load<vector<uint64_t, 3> >(at + 40), m = In.Load<vector<uint64_t, 3> >(at + 64);
  Out.Store<vector<uint64_t, 3> >(to + 80, arithmetic(l, m));
  Out.Store<vector<uint64_t, 3> >(to + 104, reversebits(l));
  Out.Store<vector<uint, 3> >(to + 128, countbits(l) + firstbitlow(m) * 100 + firstbithigh(l) * 10000);
  Out.Store<vector<uint, 3> >(to + 140, (vector<uint, 3>)firstbithigh((vector<int64_t, 3>)m));
  vector<int16_t, 7> s = In.Load<vector<int16_t, 7> >(at + 88), t = In.Load<vector<int16_t, 7> >(at + 102);
  Out.Store<vector<int16_t, 7> >(to + 152, arithmetic(s, t));
  Out.Store<vector<uint16_t, 7> >(to + 168, reversebits((vector<uint16_t, 7>)t));
  Out.Store<vector<uint, 7> >(to + 184, (vector<uint, 7>)countbits((vector<uint16_t, 7>)s) + (vector<uint, 7>)firstbitlow((vector<uint16_t, 7>)t));
}
