// trellis.ms67: ms_6_7 mesh
// trellis.ms68: ms_6_8 mesh
// trellis.ms69: ms_6_9 mesh
// trellis.as67: as_6_7 amplification
// trellis.as68: as_6_8 amplification
// trellis.as69: as_6_9 amplification
// A mesh shader and the amplification shader before it in the later shader models.
struct Point { float4 place : SV_Position; float2 uv : UV; };
struct Payload { uint numbers[4]; };
cbuffer Frame : register(b0) { float4x4 View; };
groupshared Payload Shared;

[numthreads(4, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  Shared.numbers[thread] = id * 3;
  GroupMemoryBarrierWithGroupSync();
  DispatchMesh(WaveActiveCountBits((id & 3) != 3), 1, 1, Shared);
}

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload p, out vertices Point v[3], out indices uint3 t[1]) {
  SetMeshOutputCounts(3, 1);
  float2 uv = float2(thread & 1, thread >> 1);
  v[thread].uv = uv;
  v[thread].place = mul(View, float4(uv + p.numbers[group & 3], 0, 1));
  if (thread == 0)
    t[0] = uint3(0, 1, 2);
}
