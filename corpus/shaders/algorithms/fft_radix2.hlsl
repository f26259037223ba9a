// trellis: cs_6_0 main
// trellis.inverse: cs_6_0 main -DINVERSE
// trellis.half: cs_6_2 main -DREAL=float16_t -DREAL2=float16_t2 -enable-16bit-types
// Fourier transform of 128 complex numbers in groupshared memory (Stockham).
#ifndef REAL
#define REAL float
#define REAL2 float2
#endif
StructuredBuffer<float2> In;
RWStructuredBuffer<float2> Out;
groupshared REAL2 Data[2][128];

REAL2 times(REAL2 a, REAL2 b) { return REAL2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  uint base = group * 128;
  Data[0][thread] = (REAL2)In[base + thread];
  Data[0][thread + 64] = (REAL2)In[base + thread + 64];
  uint from = 0;
  for (uint span = 1; span < 128; span *= 2) {
    GroupMemoryBarrierWithGroupSync();
    uint k = thread & (span - 1);
    float angle = -3.14159265f * (float)k / (float)span;
#ifdef INVERSE
    angle = -angle;
#endif
    float s, c;
    sincos(angle, s, c);
    REAL2 even = Data[from][thread];
    REAL2 odd = times(Data[from][thread + 64], REAL2((REAL)c, (REAL)s));
    uint to = ((thread - k) << 1) + k;
    Data[from ^ 1][to] = even + odd;
    Data[from ^ 1][to + span] = even - odd;
    from ^= 1;
  }
  GroupMemoryBarrierWithGroupSync();
#ifdef INVERSE
  const float scale = 1.0f / 128;
#else
  const float scale = 1;
#endif
  Out[base + thread] = (float2)Data[from][thread] * scale;
  Out[base + thread + 64] = (float2)Data[from][thread + 64] * scale;
}
