// trellis: cs_6_0 main
// trellis.depth: cs_6_0 main -DGUIDE
// A blur that keeps edges: weights by distance and by difference, of colour or of a depth buffer.
Texture2D<float4> In;
Texture2D<float> Depth;
RWTexture2D<float4> Out;
cbuffer Strength { float Range; int Radius; };

[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID) {
  int radius = clamp(Radius, 1, 3);
  float4 middle = In[id];
  float here = Depth[id];
  float4 sum = 0;
  float total = 0;
  for (int y = -radius; y <= radius; ++y) {
    for (int x = -radius; x <= radius; ++x) {
      int2 p = max(id + int2(x, y), 0);
      float4 c = In.Load(int3(p, 0));
#ifdef GUIDE
      float d = abs(Depth.Load(int3(p, 0)) - here);
#else
      float d = distance(c.rgb, middle.rgb);
#endif
      float w = rcp(1.0f + x * x + y * y) * saturate(1.0f - d / max(Range, 0.5f));
      if (w <= 0)
        continue;
      sum += c * w;
      total += w;
    }
  }
  Out[id] = total > 0 ? sum / total : middle;
}
