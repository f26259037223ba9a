// trellis: cs_6_0 main
// trellis.wave: cs_6_0 main -DWAVE
// Gravity of all on all, in tiles in groupshared memory or by reading lanes of the wave.
StructuredBuffer<float4> Bodies;
RWStructuredBuffer<float4> Velocities;
groupshared float4 Tile[64];

float3 pull(float4 on, float4 by) {
  float3 d = by.xyz - on.xyz;
  float r = rsqrt(dot(d, d) + 0.01f);
  return d * (by.w * r * r * r);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  float4 me = Bodies[id];
  float3 sum = 0;
  for (uint tile = 0; tile < 128; tile += 64) {
    float4 other = Bodies[tile + thread];
#ifdef WAVE
    for (uint lane = 0; lane < WaveGetLaneCount(); ++lane)
      sum += pull(me, WaveReadLaneAt(other, lane));
#else
    Tile[thread] = other;
    GroupMemoryBarrierWithGroupSync();
    [loop]
    for (uint i = 0; i < 64; ++i)
      sum += pull(me, Tile[i]);
    GroupMemoryBarrierWithGroupSync();
#endif
  }
  Velocities[id].xyz += sum * 0.01f;
}
