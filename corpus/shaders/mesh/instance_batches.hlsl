// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.as_split: as_6_5 amplification -DSPLIT
// trellis.as_sm66: as_6_6 amplification -DSPLIT
// trellis.bindless: ms_6_6 mesh -DBINDLESS
// Many small meshes: an amplification shader packs instances into groups, by a scan over their sizes.
struct Instance { float3x4 world; uint mesh; uint material; };
struct Payload { uint instances[32]; uint ends[32]; uint total; };
struct Vertex { float4 place : SV_Position; nointerpolation uint material : MATERIAL; };
StructuredBuffer<Instance> Instances : register(t0);
StructuredBuffer<uint2> Meshes : register(t1);
cbuffer View : register(b0) { float4x4 Clip; uint First; };
groupshared Payload Shared;
groupshared uint Sizes[32];

[numthreads(32, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  Instance i = Instances[id & 63];
  uint size = Meshes[i.mesh & 15].y & 31;
  Sizes[thread] = size;
  GroupMemoryBarrierWithGroupSync();
#ifdef SPLIT
  uint end = 0;
  for (uint k = 0; k <= thread; ++k)
    end += Sizes[k];
#else
  for (uint step = 1; step < 32; step *= 2) {
    uint add = thread >= step ? Sizes[thread - step] : 0;
    GroupMemoryBarrierWithGroupSync();
    Sizes[thread] += add;
    GroupMemoryBarrierWithGroupSync();
  }
  uint end = Sizes[thread];
#endif
  Shared.instances[thread] = id;
  Shared.ends[thread] = end;
  if (thread == 31)
    Shared.total = end;
  GroupMemoryBarrierWithGroupSync();
  DispatchMesh((Shared.total + 63) / 64, 1, 1, Shared);
}

[outputtopology("triangle")]
[numthreads(64, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload p, out vertices Vertex v[192],
          out indices uint3 t[64]) {
  uint count = min(p.total - min(p.total, group * 64), 64u), number = group * 64 + thread;
  SetMeshOutputCounts(count * 3, count);
  if (thread >= count)
    return;
  uint low = 0, high = 31;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (p.ends[middle] <= number)
      low = middle + 1;
    else
      high = middle;
  }
  Instance i = Instances[p.instances[low] & 63];
  uint first = (Meshes[i.mesh & 15].x + number) * 3;
#ifdef BINDLESS
  ByteAddressBuffer Vertices = ResourceDescriptorHeap[NonUniformResourceIndex(First + (i.mesh & 3))];
#endif
  [unroll]
  for (uint c = 0; c < 3; ++c) {
#ifdef BINDLESS
    float3 place = asfloat(Vertices.Load3(((first + c) & 63) * 12));
#else
    float3 place = float3((first + c) & 7, (first + c) >> 3 & 7, c);
#endif
    v[thread * 3 + c].place = mul(Clip, float4(mul(i.world, float4(place, 1)), 1));
    v[thread * 3 + c].material = i.material;
  }
  t[thread] = uint3(0, 1, 2) + thread * 3;
}
