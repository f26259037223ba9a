// trellis: cs_6_9 main
// trellis.half: cs_6_9 main -DREAL=float16_t -enable-16bit-types
// trellis.integer: cs_6_9 main -DREAL=int
// trellis.od: cs_6_9 main -Od
// A filter of samples on long vectors: windows that slide, weights, and sums by halves of a vector.
#ifndef REAL
#define REAL float
#endif
typedef vector<REAL, 16> Window;
ByteAddressBuffer Samples : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Window w = Samples.Load<Window>(id * 4);
  Window taps = Samples.Load<Window>(1024);
  Window p = w * taps;
  vector<REAL, 8> a;
  for (uint i = 0; i < 8; ++i)
    a[i] = p[i] + p[i + 8];
  vector<REAL, 4> b = vector<REAL, 4>(a[0] + a[4], a[1] + a[5], a[2] + a[6], a[3] + a[7]);
  REAL low = b.x + b.z, high = b.y + b.w;
  Window clipped = min(max(w, (Window)low), (Window)high);
  vector<bool, 16> outside = w != clipped;
  uint count = 0;
  for (uint j = 0; j < 16; ++j)
    count += outside[j] ? 1 : 0;
  Out.Store<Window>(id * 80, select(outside, clipped, abs(w)));
  Out.Store<uint>(id * 80 + 64, any(outside) ? count : all(w == taps) ? 100 : 0);
}
