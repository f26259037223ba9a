// trellis.rows: cs_6_0 main -DWAY=int2(1,0)
// trellis.columns: cs_6_0 main -DWAY=int2(0,1)
// trellis.half: cs_6_2 main -DWAY=int2(1,0) -DREAL4=half4 -enable-16bit-types
// Separable blur of a texture by nine taps, with a border that repeats.
#ifndef REAL4
#define REAL4 float4
#endif
Texture2D<REAL4> In;
RWTexture2D<REAL4> Out;
static const float Weights[5] = {0.2270270f, 0.1945946f, 0.1216216f, 0.0540541f, 0.0162162f};

[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID) {
  int2 size;
  In.GetDimensions(size.x, size.y);
  REAL4 sum = 0;
  for (int i = -4; i <= 4; ++i) {
    int2 p = clamp(id + WAY * i, 0, size - 1);
    sum += In[p] * (REAL4)Weights[abs(i)];
  }
  Out[id] = sum;
}
