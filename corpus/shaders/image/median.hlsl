// trellis: cs_6_0 main
// trellis.five: cs_6_0 main -DNETWORK=0
// trellis.half: cs_6_2 main -DREAL=half -enable-16bit-types
// The median of a neighbourhood, by a sorting network or by insertion into a local array.
#ifndef REAL
#define REAL float
#endif
#ifndef NETWORK
#define NETWORK 1
#endif
Texture2D<REAL> In;
RWTexture2D<REAL> Out;

void order(inout REAL a, inout REAL b) {
  REAL low = min(a, b);
  b = max(a, b);
  a = low;
}

[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID) {
#if NETWORK
  REAL v[9];
  for (int i = 0; i < 9; ++i)
    v[i] = In[max(id + int2(i % 3, i / 3) - 1, 0)];
  order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
  order(v[0], v[1]); order(v[3], v[4]); order(v[6], v[7]);
  order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
  order(v[0], v[3]); order(v[5], v[8]); order(v[4], v[7]);
  order(v[3], v[6]); order(v[1], v[4]); order(v[2], v[5]);
  order(v[4], v[7]); order(v[4], v[2]); order(v[6], v[4]);
  order(v[4], v[2]);
  Out[id] = v[4];
#else
  REAL sorted[13];
  int count = 0;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      REAL c = In[max(id + int2(x, y), 0)];
      int at = min(count, 12);
      if (count > 12 && c >= sorted[12])
        continue;
      while (at > 0 && sorted[at - 1] > c) {
        sorted[at] = sorted[at - 1];
        --at;
      }
      sorted[at] = c;
      count = min(count + 1, 13);
    }
  }
  Out[id] = sorted[12];
#endif
}
