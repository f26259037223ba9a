// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_5 pixel
// trellis.as_cone: as_6_5 amplification -DCONE
// trellis.as_both: as_6_6 amplification -DCONE -DLEVELS
// trellis.as_levels: as_6_5 amplification -DLEVELS
// trellis.packed: ms_6_5 mesh -DPACKED
// Meshlets: culled by bounds, cone and error in an amplification shader, then unpacked.
struct Meshlet { float3 middle; float radius; uint cone; float error; uint vertices; uint triangles; };
struct Payload { uint meshlets[32]; float detail; };
struct Vertex { float4 place : SV_Position; float3 normal : NORMAL; };
struct Primitive { nointerpolation uint meshlet : MESHLET; };
StructuredBuffer<Meshlet> Meshlets : register(t0);
ByteAddressBuffer Indices : register(t1);
ByteAddressBuffer Vertices : register(t2);
cbuffer View : register(b0) { float4x4 Clip; float4 Planes[4]; float3 Eye; float Error; };
groupshared Payload Shared;

[numthreads(32, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  Meshlet m = Meshlets[id & 63];
  bool seen = true;
  for (uint p = 0; p < 4; ++p)
    seen = seen && dot(Planes[p], float4(m.middle, 1)) > -m.radius;
#ifdef CONE
  int4 c = int4(m.cone << 24, m.cone << 16, m.cone << 8, m.cone) >> 24;
  float3 axis = c.xyz / 127.0f;
  if (dot(normalize(m.middle - Eye), axis) >= c.w / 127.0f)
    seen = false;
#endif
#ifdef LEVELS
  float size = m.error / max(distance(m.middle, Eye) - m.radius, 0.1f);
  seen = seen && size <= Error;
#endif
  uint place = WavePrefixCountBits(seen);
  if (seen)
    Shared.meshlets[place] = id;
  uint count = WaveActiveCountBits(seen);
  if (thread == 0)
    Shared.detail = (float)count;
  DispatchMesh(count, 1, 1, Shared);
}

[outputtopology("triangle")]
[numthreads(64, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload payload, out vertices Vertex vertices[64],
          out primitives Primitive primitives[64], out indices uint3 triangles[64]) {
  uint number = payload.meshlets[group];
  Meshlet m = Meshlets[number & 63];
  uint vertexCount = min(m.vertices >> 24, 64u), triangleCount = min(m.triangles >> 24, 64u);
  SetMeshOutputCounts(vertexCount, triangleCount);
  if (thread < vertexCount) {
    uint at = ((m.vertices & 0xffffff) + thread) & 255;
#ifdef PACKED
    uint2 v = Vertices.Load2(at * 8);
    float3 p = float3(v.x & 0x7ff, v.x >> 11 & 0x7ff, v.x >> 22) / 1024;
    float3 n = float3(v.y & 0x3ff, v.y >> 10 & 0x3ff, v.y >> 20 & 0x3ff) / 511 - 1;
#else
    float3 p = asfloat(Vertices.Load3(at * 24)), n = asfloat(Vertices.Load3(at * 24 + 12));
#endif
    vertices[thread].place = mul(Clip, float4(p, 1));
    vertices[thread].normal = n;
  }
  if (thread < triangleCount) {
    uint t = Indices.Load(((m.triangles & 0xffffff) + thread & 255) * 4);
    triangles[thread] = min(uint3(t, t >> 8, t >> 16) & 0xff, vertexCount - 1);
    primitives[thread].meshlet = number;
  }
}

float4 pixel(Vertex v, Primitive p) : SV_Target {
  uint h = p.meshlet * 2654435761u;
  return float4(h & 0xff, h >> 8 & 0xff, h >> 16 & 0xff, 255) / 255 * saturate(v.normal.z);
}
