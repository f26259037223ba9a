// trellis.atrous: cs_6_0 atrous
// trellis.temporal: cs_6_0 temporal
// trellis.half: cs_6_2 atrous -DHALF -enable-16bit-types
// Denoising of traced light: a filter with holes guided by normals and depth, and accumulation over frames.
#ifdef HALF
typedef half4 Four;
#else
typedef float4 Four;
#endif
Texture2D<Four> Light;
Texture2D<float4> Surface;
Texture2D<float2> Motion;
Texture2D<float4> History;
RWTexture2D<Four> Out;
RWTexture2D<float4> Kept;
cbuffer Filter { int Step; float Phi; };

[numthreads(8, 8, 1)]
void atrous(int2 id : SV_DispatchThreadID) {
  const float kernel[3] = {0.375f, 0.25f, 0.0625f};
  int step_ = clamp(Step, 1, 4);
  Four middle = Light[id];
  float4 here = Surface[id];
  Four sum = middle;
  float total = 1;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      if (x == 0 && y == 0)
        continue;
      int2 p = id + int2(x, y) * step_;
      if (any(p < 0) || any(p > 15))
        continue;
      float4 there = Surface[p];
      float facing = saturate(dot(there.xyz, here.xyz));
      float near = exp(-abs(there.w - here.w));
      float w = kernel[abs(x)] * kernel[abs(y)] * facing * near;
      sum += Light[p] * (Four)w;
      total += w;
    }
  }
  Out[id] = sum / (Four)total;
}

[numthreads(8, 8, 1)]
void temporal(int2 id : SV_DispatchThreadID) {
  float4 now = (float4)Light[id];
  int2 from = id + (int2)clamp(Motion[id], -4.0f, 4.0f);
  bool kept = all(from >= 0) && all(from < 16);
  float4 before = 0;
  float frames = 0;
  if (kept) {
    before = History[from];
    frames = min(before.w, 31.0f);
    if (distance(before.rgb, now.rgb) > 8.0f)
      frames = 0;
  }
  float weight = 1.0f / (max(frames, 0.0f) + 1);
  Kept[id] = float4(lerp(before.rgb, now.rgb, weight), frames + 1);
}
