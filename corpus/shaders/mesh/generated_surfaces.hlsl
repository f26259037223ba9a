// trellis.sphere: ms_6_5 sphere
// trellis.terrain: ms_6_5 terrain
// trellis.as: as_6_5 amplification
// trellis.cubes: ms_6_5 cubes
// trellis.ribbon: ms_6_5 ribbon
// trellis.points: ms_6_5 points
// trellis.as_ring: as_6_5 ring
// trellis.half: ms_6_5 sphere -enable-16bit-types -DTHREE=half3
// Surfaces without input: a sphere by rows, ground in cells of a grid, cells of a field, a ribbon, points.
#ifndef THREE
#define THREE float3
#endif
struct Vertex { float4 place : SV_Position; THREE normal : NORMAL; };
struct Payload { int2 cell; uint level; };
Texture2D<float> Height : register(t0);
StructuredBuffer<float4> Points : register(t1);
cbuffer View : register(b0) { float4x4 Clip; float3 Eye; float Time; };
groupshared Payload Cell;

[outputtopology("triangle")]
[numthreads(64, 1, 1)]
void sphere(uint thread : SV_GroupThreadID, uint group : SV_GroupID, out vertices Vertex v[64], out indices uint3 t[98]) {
  SetMeshOutputCounts(64, 98);
  float2 at = float2(thread & 7, thread >> 3) / 7, a = at * float2(6.2831853f, 3.1415927f);
  float3 n = float3(cos(a.x) * sin(a.y), cos(a.y), sin(a.x) * sin(a.y));
  v[thread].place = mul(Clip, float4(n + float3(group * 3.0f, 0, 0), 1));
  v[thread].normal = (THREE)n;
  for (uint i = thread; i < 98; i += 64) {
    uint cell = i >> 1, first = cell / 7 * 8 + cell % 7;
    t[i] = (i & 1) ? uint3(first + 1, first + 9, first + 8) : uint3(first, first + 1, first + 8);
  }
}

[numthreads(1, 1, 1)]
void amplification(uint2 group : SV_GroupID) {
  float far = distance((float2)group * 8, Eye.xz);
  uint level = (uint)clamp(log2(max(far / 8, 1)), 0, 3);
  Payload p;
  p.cell = group * 8;
  p.level = level;
  bool drawn = all((group & ((1u << level) - 1)) == 0);
  DispatchMesh(drawn ? 1 : 0, 1, 1, p);
}

[numthreads(4, 1, 1)]
void ring(uint thread : SV_GroupThreadID, uint group : SV_GroupID) {
  uint level = group;
  int2 corner = int2(thread & 1, thread >> 1) * 2 - 1;
  if (thread == WaveReadLaneFirst(thread)) {
    Cell.cell = (int2)Eye.xz + corner * (8 << (level & 7));
    Cell.level = level;
  }
  GroupMemoryBarrierWithGroupSync();
  DispatchMesh(level == 0 ? 4 : 3, 1, 1, Cell);
}

[outputtopology("triangle")]
[numthreads(32, 1, 1)]
void terrain(uint thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload p, out vertices Vertex v[81],
             out indices uint3 t[128]) {
  SetMeshOutputCounts(81, 128);
  for (uint i = thread; i < 81; i += 32) {
    int2 c = p.cell + (int2(i % 9, i / 9) << p.level);
    float h = Height.Load(int3(c & 63, 0)), x = Height.Load(int3((c + int2(1, 0)) & 63, 0)), z = Height.Load(int3((c + int2(0, 1)) & 63, 0));
    v[i].place = mul(Clip, float4(c.x, h, c.y + group, 1));
    v[i].normal = (THREE)normalize(float3(h - x, 1, h - z));
  }
  for (uint k = thread; k < 128; k += 32) {
    uint cell = k >> 1, first = (cell >> 3) * 9 + (cell & 7);
    bool flip = ((cell ^ cell >> 3) & 1) != 0;
    uint3 a = flip ? uint3(first, first + 1, first + 9) : uint3(first, first + 10, first + 9);
    uint3 b = flip ? uint3(first + 1, first + 10, first + 9) : uint3(first, first + 1, first + 10);
    t[k] = (k & 1) ? b : a;
  }
}

float field(float3 p) { return sin(p.x) + sin(p.y) + sin(p.z + Time); }

[outputtopology("triangle")]
[numthreads(32, 1, 1)]
void cubes(uint thread : SV_GroupThreadID, uint3 group : SV_GroupID, out vertices Vertex v[256], out indices uint3 t[256]) {
  float3 p = (float3)(group * 4 + uint3(thread & 3, thread >> 2 & 3, thread >> 4));
  bool inside = field(p) > 0;
  uint faces = 0;
  for (uint axis = 0; axis < 3; ++axis) {
    float3 q = p;
    q[axis] += 1;
    if (inside != (field(q) > 0))
      faces |= 1u << axis;
  }
  uint own = min(countbits(faces), 2u), before = WavePrefixSum(own), all = WaveActiveSum(own);
  SetMeshOutputCounts(all * 4, all * 2);
  for (uint f = 0; f < own; ++f) {
    uint axis = firstbitlow(faces);
    faces &= faces - 1;
    float3 n = 0, x = 0, y = 0;
    n[axis] = inside ? 1 : -1;
    x[(axis + 1) % 3] = 1;
    y[(axis + 2) % 3] = 1;
    uint first = (before + f) * 4;
    for (uint c = 0; c < 4; ++c) {
      float3 corner = p + abs(n) + x * (c & 1) + y * (c >> 1);
      v[first + c].place = mul(Clip, float4(corner, 1));
      v[first + c].normal = (THREE)n;
    }
    t[(before + f) * 2] = inside ? uint3(first, first + 1, first + 2) : uint3(first, first + 2, first + 1);
    t[(before + f) * 2 + 1] = inside ? uint3(first + 1, first + 3, first + 2) : uint3(first + 1, first + 2, first + 3);
  }
}

[outputtopology("triangle")]
[numthreads(16, 1, 1)]
void ribbon(uint thread : SV_GroupThreadID, uint group : SV_GroupID, out vertices Vertex v[32], out indices uint3 t[30]) {
  SetMeshOutputCounts(32, 30);
  float4 a = Points[(group * 15 + thread) & 63], b = Points[(group * 15 + thread + 1) & 63];
  float3 side = normalize(cross(b.xyz - a.xyz, Eye - a.xyz) + 1e-4f) * a.w;
  [unroll]
  for (uint i = 0; i < 2; ++i) {
    v[thread * 2 + i].place = mul(Clip, float4(a.xyz + (i ? side : -side), 1));
    v[thread * 2 + i].normal = (THREE)side;
  }
  if (thread < 15) {
    t[thread * 2] = uint3(0, 1, 2) + thread * 2;
    t[thread * 2 + 1] = uint3(1, 3, 2) + thread * 2;
  }
}

[outputtopology("line")]
[numthreads(32, 1, 1)]
void points(uint thread : SV_GroupThreadID, uint id : SV_DispatchThreadID, out vertices Vertex v[64], out indices uint2 t[32]) {
  float4 p = Points[id & 63];
  bool kept = p.w > 0;
  uint place = WavePrefixCountBits(kept), count = WaveActiveCountBits(kept);
  SetMeshOutputCounts(count * 2, count);
  if (kept) {
    v[place * 2].place = mul(Clip, float4(p.xyz, 1));
    v[place * 2].normal = 0;
    v[place * 2 + 1].place = mul(Clip, float4(p.xyz + float3(0, p.w, 0), 1));
    v[place * 2 + 1].normal = 1;
    t[place] = uint2(0, 1) + place * 2;
  }
}
