// trellis: cs_6_9 main -enable-16bit-types
// Elementwise arithmetic on vectors of five and three components: floats of each width.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

template <typename T>
T exact(T a, T b, T c) {
  T r = abs(a) + min(a, b) * max(b, c);
  r += saturate(c) + clamp(a, b, c);
  r += mad(a, b, c) - a / (abs(b) + 1);
  return r;
}

template <typename T>
T rounded(T a, T b, T c) {
  T r = floor(a) + ceil(b) + trunc(c) + round(a + b);
  return r + sqrt(abs(a)) + select(isnan(a), b, c) + select(isinf(a / b), b, c) + select(isfinite(c), a, b) + frac(b);
}

template <typename T>
T approximate(T a, T b) {
  T r = sin(a) + cos(b) + exp2(saturate(a)) + log2(abs(b) + 1) + rsqrt(abs(a) + 1);
  return r + atan(a) + asin(saturate(a)) + acos(saturate(b)) + tanh(a) + sinh(saturate(a)) + cosh(saturate(b)) + tan(saturate(a));
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 128, to = id.x * 256;
  vector<float, 5> a = In.Load<vector<float, 5> >(at);
  vector<float, 5> b = In.Load<vector<float, 5> >(at + 20);
  vector<float, 5> c = In.Load<vector<float, 5> >(at + 40);
  Out.Store<vector<float, 5> >(to, exact(a, b, c));
  Out.Store<vector<float, 5> >(to + 20, rounded(a, b, c));
  Out.Store<vector<float, 5> >(to + 40, approximate(a, b));
  float3 x = In.Load<float3>(at + 4), y = In.Load<float3>(at + 16), z = In.Load<float3>(at + 44);
  Out.Store<float3>(to + 60, exact(x, y, z));
  Out.Store<float3>(to + 72, rounded(x, y, z));
  Out.Store<float3>(to + 84, approximate(x, y));
  vector<float16_t, 6> p = (vector<float16_t, 6>)In.Load<vector<float, 6> >(at);
  vector<float16_t, 6> q = (vector<float16_t, 6>)In.Load<vector<float, 6> >(at + 24);
  Out.Store<vector<float, 6> >(to + 96, (vector<float, 6>)(max(p, q) + floor(p) - abs(q)));
  vector<double, 5> u = (vector<double, 5>)a, v = (vector<double, 5>)b, w = (vector<double, 5>)c;
  Out.Store<vector<double, 5> >(to + 120, fma(u, v, w) + min(u, v) + max(v, w) + abs(w));
}
