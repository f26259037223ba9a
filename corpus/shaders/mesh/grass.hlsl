// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.as_dense: as_6_5 amplification -DDENSE
// trellis.as_sm66: as_6_6 amplification -DDENSE
// trellis.as_sm67: as_6_7 amplification
// trellis.wind: ms_6_5 mesh -DWIND
// Blades of grass: patches by distance, blades of a patch by hashing, with fewer vertices far away.
struct Payload { float2 corner[16]; uint blades[16]; };
struct Vertex { float4 place : SV_Position; float up : UP; };
cbuffer View : register(b0) { float4x4 Clip; float3 Eye; float Time; };
Texture2D<float> Density : register(t0);
SamplerState Linear : register(s0);
groupshared Payload Patches;
groupshared uint Count;

uint hash(uint v) {
  v = (v ^ 61) ^ v >> 16;
  v *= 9;
  v ^= v >> 4;
  return v * 0x27d4eb2d;
}

[numthreads(16, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint2 group : SV_GroupID) {
  if (thread == 0)
    Count = 0;
  GroupMemoryBarrierWithGroupSync();
  float2 corner = (float2)(group * 4 + uint2(thread & 3, thread >> 2));
#ifdef DENSE
  uint blades = (uint)(Density.SampleLevel(Linear, corner * 0.01f, 0) * 8);
#else
  uint blades = 8;
#endif
  float far = distance(corner, Eye.xz);
  if (far > 32)
    blades /= 2;
  if (far < 64 && blades > 0) {
    uint place;
    InterlockedAdd(Count, 1, place);
    Patches.corner[place] = corner;
    Patches.blades[place] = blades;
  }
  GroupMemoryBarrierWithGroupSync();
  DispatchMesh(Count, 1, 1, Patches);
}

[outputtopology("triangle")]
[numthreads(32, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload payload, out vertices Vertex vertices[40],
          out indices uint3 triangles[24]) {
  uint blades = min(payload.blades[group], 8u);
  SetMeshOutputCounts(blades * 5, blades * 3);
  for (uint v = thread; v < blades * 5; v += 32) {
    uint blade = v / 5, i = v % 5, h = hash(blade + asuint(payload.corner[group].x));
    float up = (i >> 1) * 0.5f;
    float3 p = float3(payload.corner[group], 0).xzy + float3(h & 0xff, 0, h >> 8 & 0xff) / 256;
    p.x += (i & 1) * 0.05f * (1 - up);
    p.y += up;
#ifdef WIND
    p.xz += up * up * float2(sin(Time + p.x), cos(Time * 1.3f + p.z)) * 0.2f;
#endif
    vertices[v].place = mul(Clip, float4(p, 1));
    vertices[v].up = up;
  }
  for (uint t = thread; t < blades * 3; t += 32) {
    uint first = t / 3 * 5 + t % 3;
    triangles[t] = (t % 3 & 1) != 0 ? uint3(first + 1, first, first + 2) : uint3(first, first + 1, first + 2);
  }
}
