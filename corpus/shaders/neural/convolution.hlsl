// trellis: cs_6_0 main
// trellis.depthwise: cs_6_0 main -DDEPTHWISE
// trellis.strided: cs_6_0 main -DSTRIDE=2
// trellis.pool: cs_6_0 pool
// trellis.norm: cs_6_0 norm
// Layers of a convolutional network: three by three kernels, pooling, normalization over channels.
#ifndef STRIDE
#define STRIDE 1
#endif
#define SIZE 8
#define CHANNELS 4
StructuredBuffer<float> In : register(t0);
StructuredBuffer<float> Kernel : register(t1);
RWStructuredBuffer<float> Out : register(u0);
groupshared float2 Moments[32];

float at(int3 p) { return any(p.xy < 0) || any(p.xy >= SIZE) ? 0 : In[(p.z * SIZE + p.y) * SIZE + p.x]; }

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint channel = id.x / 8 & 3;
  int2 p = int2(id.x & 7, id.y & 7) * STRIDE;
  float sum = 0;
#ifdef DEPTHWISE
  uint c = channel;
#else
  for (uint c = 0; c < CHANNELS; ++c)
#endif
    for (int i = 0; i < 9; ++i)
      sum = mad(at(int3(p + int2(i % 3, i / 3) - 1, c)), Kernel[(channel * CHANNELS + c) * 9 + i], sum);
  Out[id.y * 16 + id.x] = max(sum, 0.1f * sum);
}

[numthreads(8, 8, 1)]
void pool(uint2 id : SV_DispatchThreadID) {
  int2 p = (int2)(id & 3) * 2;
  float most = -1e30f, sum = 0;
  for (int i = 0; i < 4; ++i) {
    float v = at(int3(p + int2(i & 1, i >> 1), id.x >> 3 & 3));
    most = max(most, v);
    sum += v;
  }
  Out[id.y * 16 + id.x] = (id.y & 1) ? most : sum * 0.25f;
}

[numthreads(32, 1, 1)]
void norm(uint thread : SV_GroupIndex, uint group : SV_GroupID) {
  float v = In[group * 32 + thread];
  Moments[thread] = float2(v, v * v);
  for (uint half_ = 16; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_)
      Moments[thread] += Moments[thread + half_];
  }
  GroupMemoryBarrierWithGroupSync();
  float2 m = Moments[0] / 32;
  Out[group * 32 + thread] = (v - m.x) * rsqrt(max(m.y - m.x * m.x, 0) + 1e-3f) * Kernel[thread] + Kernel[32 + thread];
}
