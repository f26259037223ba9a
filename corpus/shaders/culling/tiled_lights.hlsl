// trellis: cs_6_0 main
// trellis.clusters: cs_6_0 main -DCLUSTERS
// trellis.wave: cs_6_0 main -DWAVE
// Lights of a tile: bounds of its depth, a list in groupshared memory, or masks by waves.
struct Light { float3 place; float radius; };
StructuredBuffer<Light> Lights;
Texture2D<float> Depth;
RWStructuredBuffer<uint> Lists;
groupshared uint Near;
groupshared uint Far;
groupshared uint Count;
groupshared uint List[32];

bool touches(Light l, float2 tile, float near, float far) {
  float2 d = l.place.xy * 0.25f - tile * 8;
  return dot(d, d) < (l.radius + 8) * (l.radius + 8) && l.place.z + l.radius > near && l.place.z - l.radius < far;
}

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID, uint2 group : SV_GroupID, uint thread : SV_GroupIndex) {
  if (thread == 0) {
    Near = 0x7f7fffff;
    Far = 0;
    Count = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  float depth = abs(Depth[id]);
  InterlockedMin(Near, asuint(depth));
  InterlockedMax(Far, asuint(depth));
  GroupMemoryBarrierWithGroupSync();
  float near = asfloat(Near), far = asfloat(Far);
#if defined(WAVE)
  bool hit = touches(Lights[thread], (float2)group, near, far);
  uint total = WaveActiveCountBits(hit);
  if (WaveIsFirstLane())
    InterlockedAdd(Count, total);
  GroupMemoryBarrierWithGroupSync();
#elif defined(CLUSTERS)
  for (uint slice = 0; slice < 4; ++slice) {
    float a = lerp(near, far, slice * 0.25f), b = lerp(near, far, slice * 0.25f + 0.25f);
    if (touches(Lights[thread], (float2)group, a, b)) {
      uint old;
      InterlockedAdd(List[slice & 31], 0, old);
      InterlockedOr(Lists[group.x * 8 + slice * 2 + thread / 32], 1u << (thread & 31), old);
    }
  }
#else
  if (touches(Lights[thread], (float2)group, near, far)) {
    uint at;
    InterlockedAdd(Count, 1, at);
  }
#endif
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0)
    Lists[64 + group.x] = Count;
}
