// trellis: ms_6_5 main
// Mesh shader of a renderer driven by the device: meshlets with packed vertices are skinned, morphed and moved
// by wind; triangles are culled by back face, size, frustum and a pyramid of depths, then packed by waves.

#define MAX_VERTICES 64
#define MAX_TRIANGLES 124
#define THREADS 128

cbuffer View : register(b0) {
  float4x4 ViewProjection;
  float4x4 LastViewProjection;
  float4 Planes[6];
  float3 Eye;
  float Time;
  float2 ViewportSize;
  uint PyramidLevels;
  uint Flags;  // 1: no culling, 2: two-sided, 4: pyramid of depths.
  float3 WindDirection;
  float WindStrength;
};

struct Instance {
  float4 rows[3];
  float4 lastRows[3];
  uint firstBone;
  uint firstMorph;
  uint morphCount;
  uint material;
  float3 quantizationOrigin;
  float quantizationScale;
  uint flags;  // 1: skinned, 2: morphed, 4: plant.
};

struct Meshlet {
  uint firstVertex;
  uint firstTriangle;
  uint counts;  // Vertices, triangles.
  uint cone;    // Axis and cutoff, 8 bits each.
  float3 center;
  float radius;
};

struct Vertex {
  uint2 position;   // Three times 21 bits.
  uint normal;      // An octahedron.
  uint tangent;     // An octahedron of 15 bits each, and a sign.
  uint uv;
  uint bones;
  uint weights;
  uint color;
};

struct Morph {
  float weight;
  uint firstDelta;
  uint firstVertex;
  uint count;
};

struct Payload {
  uint instances[32];
  uint meshlets[32];
};

StructuredBuffer<Instance> Instances : register(t0);
StructuredBuffer<Meshlet> Meshlets : register(t1);
StructuredBuffer<Vertex> Vertices : register(t2);
ByteAddressBuffer Triangles : register(t3);
StructuredBuffer<uint> VertexIndices : register(t4);
StructuredBuffer<float4> Bones : register(t5);
StructuredBuffer<float4> LastBones : register(t6);
StructuredBuffer<Morph> Morphs : register(t7);
StructuredBuffer<uint2> MorphDeltas : register(t8);
Texture2D<float> DepthPyramid : register(t9);
Texture2D<float4> WindNoise : register(t10);
SamplerState Point : register(s0);
SamplerState Wrap : register(s1);
RWByteAddressBuffer Statistics : register(u0);

struct Output {
  float4 position : SV_Position;
  float4 clip : CLIP;
  float4 lastClip : LAST;
  float3 world : WORLD;
  float3 normal : NORMAL;
  float4 tangent : TANGENT;
  float2 uv : UV;
  float4 color : COLOR;
};

struct Primitive {
  uint material : MATERIAL;
  uint id : SV_PrimitiveID;
};

groupshared float4 Corners[MAX_VERTICES];  // On the screen, with depth and w.
groupshared uint Kept;

float3 unpackPosition(uint2 packed, Instance instance) {
  uint3 q = uint3(packed.x & 0x1fffff, (packed.x >> 21) | (packed.y & 0x3ff) << 11, (packed.y >> 10) & 0x1fffff);
  return instance.quantizationOrigin + float3(q) * instance.quantizationScale;
}

float3 unpackOctahedron(float2 f) {
  f = f * 2 - 1;
  float3 n = float3(f, 1 - abs(f.x) - abs(f.y));
  float t = saturate(-n.z);
  n.x += n.x >= 0 ? -t : t;
  n.y += n.y >= 0 ? -t : t;
  return normalize(n);
}

float4 unpackBytes(uint packed) {
  return float4(packed & 0xff, packed >> 8 & 0xff, packed >> 16 & 0xff, packed >> 24) / 255;
}

float3 transform(float4 rows[3], float3 p) {
  return float3(dot(rows[0], float4(p, 1)), dot(rows[1], float4(p, 1)), dot(rows[2], float4(p, 1)));
}

float3 rotate(float4 rows[3], float3 v) {
  return float3(dot(rows[0].xyz, v), dot(rows[1].xyz, v), dot(rows[2].xyz, v));
}

// Adds the shapes that have a weight; each has deltas for a range of vertices.
void applyMorphs(Instance instance, uint index, inout float3 position, inout float3 normal) {
  for (uint i = 0; i < instance.morphCount; ++i) {
    Morph morph = Morphs[instance.firstMorph + i];
    if (abs(morph.weight) < 0.001f) {
      continue;
    }
    uint relative = index - morph.firstVertex;
    if (relative >= morph.count) {
      continue;
    }
    uint2 delta = MorphDeltas[morph.firstDelta + relative];
    int3 q = int3(int(delta.x << 22) >> 22, int(delta.x << 12) >> 22, int(delta.x << 2) >> 22);
    position += float3(q) * (instance.quantizationScale * 64 * morph.weight);
    int3 n = int3(int(delta.y << 22) >> 22, int(delta.y << 12) >> 22, int(delta.y << 2) >> 22);
    normal += float3(n) * (morph.weight / 511);
  }
}

void blendBones(Vertex vertex, uint firstBone, bool last, out float4 rows[3]) {
  float4 weights = unpackBytes(vertex.weights);
  weights /= max(dot(weights, 1), 1e-3f);
  rows[0] = rows[1] = rows[2] = 0;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    uint bone = (firstBone + (vertex.bones >> (i * 8) & 0xff)) * 3;
    if (weights[i] > 0) {
      [unroll]
      for (uint row = 0; row < 3; ++row) {
        float4 value = last ? LastBones[bone + row] : Bones[bone + row];
        rows[row] += value * weights[i];
      }
    }
  }
}

// A trunk bends, branches swing with their own phase, and leaves flutter: the colour has how much of each.
float3 windOffset(float3 world, float4 color, float3 normal, float time) {
  float2 at = world.xz * 0.01f - WindDirection.xz * time * 0.05f;
  float4 gust = WindNoise.SampleLevel(Wrap, at, 0);
  float strength = WindStrength * (0.4f + gust.x);
  float bend = color.r * color.r * strength;
  float swing = sin(time * 2.1f + color.g * 6.28f + gust.y * 3) * color.b * strength * 0.3f;
  float flutter = sin(time * 11 + dot(world, 7.1f)) * color.a * strength * 0.05f;
  return WindDirection * bend + float3(-WindDirection.z, 0.2f, WindDirection.x) * swing + normal * flutter;
}

bool meshletIsVisible(Meshlet meshlet, Instance instance) {
  float3 center = transform(instance.rows, meshlet.center);
  float scale = length(instance.rows[0].xyz);
  float radius = meshlet.radius * scale;
  for (uint i = 0; i < 6; ++i) {
    if (dot(Planes[i], float4(center, 1)) < -radius) {
      return false;
    }
  }
  if (!(Flags & 2)) {
    float4 cone = unpackBytes(meshlet.cone) * 2 - 1;
    float3 axis = normalize(rotate(instance.rows, cone.xyz));
    float3 away = center - Eye;
    if (dot(away, axis) >= cone.w * length(away) + radius) {
      return false;
    }
  }
  return true;
}

// The nearest depth of the rectangle is compared with the furthest of the pyramid where it is two texels.
bool isOccluded(float2 low, float2 high, float nearest) {
  float2 extent = (high - low) * ViewportSize;
  uint level = min(uint(ceil(log2(max(max(extent.x, extent.y), 1)))), PyramidLevels - 1);
  float4 depths = float4(DepthPyramid.SampleLevel(Point, low, level), DepthPyramid.SampleLevel(Point, high, level),
                         DepthPyramid.SampleLevel(Point, float2(low.x, high.y), level),
                         DepthPyramid.SampleLevel(Point, float2(high.x, low.y), level));
  float furthest = max(max(depths.x, depths.y), max(depths.z, depths.w));
  return nearest > furthest;
}

bool triangleIsVisible(uint3 t) {
  if (t.x == t.y || t.y == t.z || t.z == t.x) {
    return false;
  }
  float4 a = Corners[t.x], b = Corners[t.y], c = Corners[t.z];
  // Near the eye, a projection means nothing.
  if (min(a.w, min(b.w, c.w)) <= 0) {
    return max(a.w, max(b.w, c.w)) > 0;
  }
  float2 ab = b.xy - a.xy, ac = c.xy - a.xy;
  float area = ab.x * ac.y - ab.y * ac.x;
  if (area == 0 || (!(Flags & 2) && area < 0)) {
    return false;
  }
  float2 low = min(a.xy, min(b.xy, c.xy)), high = max(a.xy, max(b.xy, c.xy));
  if (any(high < 0) || any(low > 1)) {
    return false;
  }
  // Between two centres of pixels in either direction, nothing is covered.
  float2 first = round(low * ViewportSize), last = round(high * ViewportSize);
  if (any(first == last)) {
    return false;
  }
  float nearest = min(a.z, min(b.z, c.z));
  return !(Flags & 4) || !isOccluded(saturate(low), saturate(high), nearest);
}

uint3 loadTriangle(uint first, uint index) {
  uint byte = (first + index) * 3;
  uint2 words = Triangles.Load2(byte & ~3u);
  uint shift = (byte & 3) * 8;
  uint bits = words.x >> shift | (shift > 8 ? words.y << (32 - shift) : 0);
  return uint3(bits & 0xff, bits >> 8 & 0xff, bits >> 16 & 0xff);
}

Output makeVertex(Vertex vertex, Instance instance, uint index) {
  float3 position = unpackPosition(vertex.position, instance);
  float3 normal = unpackOctahedron(float2(vertex.normal & 0xffff, vertex.normal >> 16) / 65535);
  float3 tangent = unpackOctahedron(float2(vertex.tangent & 0x7fff, vertex.tangent >> 16 & 0x7fff) / 32767);
  if (instance.flags & 2) {
    applyMorphs(instance, index, position, normal);
  }
  float3 lastPosition = position;
  if (instance.flags & 1) {
    float4 rows[3];
    blendBones(vertex, instance.firstBone, true, rows);
    lastPosition = transform(rows, position);
    blendBones(vertex, instance.firstBone, false, rows);
    position = transform(rows, position);
    normal = rotate(rows, normal);
    tangent = rotate(rows, tangent);
  }
  Output output;
  output.world = transform(instance.rows, position);
  float3 lastWorld = transform(instance.lastRows, lastPosition);
  output.normal = normalize(rotate(instance.rows, normal));
  tangent = rotate(instance.rows, tangent);
  output.tangent = float4(normalize(tangent - output.normal * dot(tangent, output.normal)),
                          vertex.tangent >> 31 ? -1 : 1);
  output.color = unpackBytes(vertex.color);
  if (instance.flags & 4) {
    lastWorld += windOffset(lastWorld, output.color, output.normal, Time - 1.0f / 60);
    output.world += windOffset(output.world, output.color, output.normal, Time);
  }
  output.uv = float2(f16tof32(vertex.uv), f16tof32(vertex.uv >> 16));
  output.clip = mul(ViewProjection, float4(output.world, 1));
  output.lastClip = mul(LastViewProjection, float4(lastWorld, 1));
  output.position = output.clip;
  return output;
}

[outputtopology("triangle")]
[numthreads(THREADS, 1, 1)]
void main(uint thread : SV_GroupIndex, uint3 group : SV_GroupID, in payload Payload input,
          out vertices Output vertices[MAX_VERTICES], out indices uint3 triangles[MAX_TRIANGLES],
          out primitives Primitive primitives[MAX_TRIANGLES]) {
  Instance instance = Instances[input.instances[group.x]];
  Meshlet meshlet = Meshlets[input.meshlets[group.x]];
  uint vertexCount = min(meshlet.counts & 0xffff, MAX_VERTICES);
  uint triangleCount = min(meshlet.counts >> 16, MAX_TRIANGLES);
  bool isVisible = (Flags & 1) || (instance.flags & 3) || meshletIsVisible(meshlet, instance);
  if (!isVisible) {
    triangleCount = 0;
    vertexCount = 0;
  }
  if (thread == 0) {
    Kept = 0;
  }

  Output output = (Output)0;
  if (thread < vertexCount) {
    uint index = VertexIndices[meshlet.firstVertex + thread];
    output = makeVertex(Vertices[index], instance, index);
    float3 device = output.clip.xyz / output.clip.w;
    Corners[thread] = float4(device.x * 0.5f + 0.5f, 0.5f - device.y * 0.5f, device.z, output.clip.w);
  }
  GroupMemoryBarrierWithGroupSync();

  // Each wave reserves space for what it keeps.
  uint3 corners = 0;
  bool isKept = false;
  if (thread < triangleCount) {
    corners = loadTriangle(meshlet.firstTriangle, thread);
    isKept = (Flags & 1) || triangleIsVisible(corners);
  }
  uint inWave = WaveActiveCountBits(isKept);
  uint start = 0;
  if (WaveIsFirstLane() && inWave > 0) {
    InterlockedAdd(Kept, inWave, start);
  }
  uint slot = WaveReadLaneFirst(start) + WavePrefixCountBits(isKept);
  GroupMemoryBarrierWithGroupSync();

  uint total = Kept;
  SetMeshOutputCounts(total > 0 ? vertexCount : 0, total);
  if (total == 0) {
    return;
  }
  if (thread < vertexCount) {
    vertices[thread] = output;
  }
  if (isKept) {
    triangles[slot] = corners;
    primitives[slot].material = instance.material;
    primitives[slot].id = input.meshlets[group.x] << 7 | thread;
  }
  if (thread == 0) {
    Statistics.InterlockedAdd(0, triangleCount);
    Statistics.InterlockedAdd(4, total);
  }
}
