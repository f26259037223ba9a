// trellis.sobel: cs_6_0 main -DSOBEL
// trellis.canny: cs_6_0 main -DCANNY
// trellis.laplace: cs_6_0 main -DLAPLACE
// Edges by differences of neighbours; with thinning along the direction of the slope.
Texture2D<float> In;
RWTexture2D<float4> Out;

float at(int2 p) { return In[clamp(p, 0, 15)]; }

float2 slope(int2 p) {
  float2 g;
  g.x = at(p + int2(1, -1)) + 2 * at(p + int2(1, 0)) + at(p + int2(1, 1)) - at(p - int2(1, 1)) - 2 * at(p - int2(1, 0)) -
        at(p - int2(1, -1));
  g.y = at(p + int2(-1, 1)) + 2 * at(p + int2(0, 1)) + at(p + int2(1, 1)) - at(p - int2(1, 1)) - 2 * at(p - int2(0, 1)) -
        at(p - int2(-1, 1));
  return g;
}

[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID) {
#if defined(LAPLACE)
  float l = 4 * at(id) - at(id + int2(1, 0)) - at(id - int2(1, 0)) - at(id + int2(0, 1)) - at(id - int2(0, 1));
  Out[id] = float4(l, abs(l), sign(l), 1);
#elif defined(CANNY)
  float2 g = slope(id);
  float strength = dot(g, g);
  int2 way;
  if (abs(g.x) > 2.4142f * abs(g.y)) way = int2(1, 0);
  else if (abs(g.y) > 2.4142f * abs(g.x)) way = int2(0, 1);
  else if (g.x * g.y > 0) way = int2(1, 1);
  else way = int2(1, -1);
  float2 next = slope(id + way), last = slope(id - way);
  bool peak = strength >= dot(next, next) && strength >= dot(last, last);
  Out[id] = peak ? strength : 0;
#else
  float2 g = slope(id);
  Out[id] = float4(g, abs(g.x) + abs(g.y), step(1.0f, dot(g, g)));
#endif
}
