// trellis: cs_6_0 main
// trellis.sphere: cs_6_0 main -DSPHERE
// trellis.levels: cs_6_0 main -DLEVELS
// trellis.sm66: cs_6_6 main -DLEVELS -DSPHERE
// Instances against the frustum: those that are seen make draw arguments, with a level by distance.
struct Instance { float3x4 world; float3 middle; float radius; float3 extent; uint mesh; };
struct Draw { uint indices; uint instances; uint first; int base; uint start; };
StructuredBuffer<Instance> Instances;
StructuredBuffer<uint2> Meshes;
RWStructuredBuffer<Draw> Draws;
RWByteAddressBuffer Count;
cbuffer View { float4 Planes[6]; float3 Eye; uint Total; };

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id >= max(Total, 32u))
    return;
  Instance i = Instances[id];
  float3 middle = mul(i.world, float4(i.middle, 1));
  bool seen = true;
  for (uint p = 0; p < 6 && seen; ++p) {
#ifdef SPHERE
    seen = dot(Planes[p].xyz, middle) + Planes[p].w > -i.radius;
#else
    float3 reach = mul(abs((float3x3)i.world), i.extent);
    seen = dot(Planes[p].xyz, middle) + Planes[p].w > -dot(abs(Planes[p].xyz), reach);
#endif
  }
  if (!seen)
    return;
  uint level = 0;
#ifdef LEVELS
  float far = distance(middle, Eye);
  while (level < 3 && far > 8.0f * (level + 1))
    ++level;
#endif
  uint2 mesh = Meshes[(i.mesh + level) & 15];
  uint place;
  Count.InterlockedAdd(0, 1, place);
  Draw d;
  d.indices = mesh.x;
  d.instances = 1;
  d.first = mesh.y;
  d.base = (int)level;
  d.start = id;
  Draws[id] = d;
}
