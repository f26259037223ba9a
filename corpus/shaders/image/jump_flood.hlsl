// trellis.seed: cs_6_0 seed
// trellis.step: cs_6_0 step_
// trellis.distance: cs_6_0 finish
// A distance field by jump flooding: seeds, one step, the signed distance.
Texture2D<float> Mask;
Texture2D<uint2> From;
RWTexture2D<uint2> To;
RWTexture2D<float> Field;
cbuffer Pass { int Jump; };

[numthreads(8, 8, 1)]
void seed(uint2 id : SV_DispatchThreadID) {
  To[id] = Mask[id] > 0.5f ? id : 0xffff;
}

[numthreads(8, 8, 1)]
void step_(int2 id : SV_DispatchThreadID) {
  int jump = clamp(Jump, 1, 8);
  uint2 best = 0xffff;
  float least = 1e9f;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      int2 p = id + int2(x, y) * jump;
      if (any(p < 0) || any(p > 15))
        continue;
      uint2 s = From[p];
      if (s.x == 0xffff)
        continue;
      float2 d = (float2)s - (float2)id;
      float square = dot(d, d);
      if (square < least) {
        least = square;
        best = s;
      }
    }
  }
  To[id] = best;
}

[numthreads(8, 8, 1)]
void finish(uint2 id : SV_DispatchThreadID) {
  float d = distance((float2)From[id], (float2)id);
  Field[id] = Mask[id] > 0.5f ? -d : d;
}
