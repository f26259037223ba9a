// trellis: cs_6_9 main -enable-16bit-types
// trellis.od: cs_6_9 main -enable-16bit-types -Od
// Long vectors across branches, loops and calls: phis, selections and parameters.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

typedef vector<float, 6> F6;

[noinline]
F6 blend(F6 a, F6 b, inout float weight) {
  weight += 1;
  return a * weight + b;
}

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 64, to = id.x * 64;
  F6 a = In.Load<F6>(at), b = In.Load<F6>(at + 24);
  uint word = In.Load<uint>(at + 48);
  float weight = 0;
  F6 sum = 0;
  for (uint i = 0; i < (word & 7); ++i) {
    if ((word >> i & 8) != 0)
      sum += a;
    else
      sum = blend(sum, b, weight);
    if (any(sum > 1000))
      break;
  }
  sum = (word & 1) != 0 ? sum : a - b;
  vector<bool, 6> which = a < b;
  Out.Store<F6>(to, select(which, sum, b));
  switch (word % 3) {
  case 0: sum = vector<float, 6>(sum[1], sum[0], sum[5], sum[3], sum[3], 2); break;
  case 1: sum = sum * 2; break;
  default: sum[word % 6] = weight; break;
  }
  Out.Store<F6>(to + 24, sum);
  Out.Store<float>(to + 48, weight);
}
