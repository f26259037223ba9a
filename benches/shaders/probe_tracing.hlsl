// trellis: cs_6_5 main
// Global illumination by ray queries: each group traces the rays of one probe, shades what they hit with the sun,
// local lights and the probes of the last frame, resolves holes of leaves, then folds all rays into octahedral
// maps of light and of distances, and classifies and moves the probe.

#define PI 3.14159265f
#define RAYS 64
#define LIGHT_TEXELS 6
#define DISTANCE_TEXELS 14
#define STATE_OFF 0
#define STATE_NEW 1
#define STATE_ACTIVE 2
#define STATE_IN_WALL 3

cbuffer Volume : register(b0) {
  float3 Origin;
  float Spacing;
  uint3 Counts;
  uint FrameIndex;
  float4 Rotation;  // Of the rays, a quaternion.
  float3 SunDirection;
  float SunAngle;
  float3 SunColor;
  float MaxDistance;
  uint LightCount;
  uint LightSamples;
  float Hysteresis;
  float NormalBias;
  float ViewBias;
  float BackfaceLimit;
  float EnergyLoss;
  float SkyStrength;
  int3 ScrollOffset;
  uint Flags;  // 1: moves probes, 2: classifies, 4: emissive hits, 8: one more bounce of mirrors.
};

struct Instance {
  uint firstGeometry;
  uint materialOffset;
  uint flags;
  uint padding;
};

struct Geometry {
  uint firstIndex;
  uint firstVertex;
  uint material;
  uint stride;
};

struct Material {
  float3 color;
  uint colorTexture;
  float3 emission;
  uint emissionTexture;
  float roughness;
  float metallic;
  float cutoff;
  float translucency;
};

struct Light {
  float3 position;
  float range;
  float3 color;
  uint kind;  // 0: sphere, 1: spot, 2: rectangle.
  float3 direction;
  float radius;
  float2 cone;
  float2 extent;
};

struct ProbeData {
  float3 offset;
  uint state;
};

RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<Instance> Instances : register(t1);
StructuredBuffer<Geometry> Geometries : register(t2);
StructuredBuffer<Material> Materials : register(t3);
StructuredBuffer<Light> Lights : register(t4);
ByteAddressBuffer Indices : register(t5);
ByteAddressBuffer Vertices : register(t6);
Texture2D<float4> LastLight : register(t7);
Texture2D<float2> LastDistances : register(t8);
TextureCube<float4> Sky : register(t9);
Texture2D<float4> Textures[] : register(t0, space1);
SamplerState Wrap : register(s0);
SamplerState Clamp : register(s1);
RWTexture2D<float4> NextLight : register(u0);
RWTexture2D<float2> NextDistances : register(u1);
RWStructuredBuffer<ProbeData> Probes : register(u2);
RWStructuredBuffer<uint> ActiveCount : register(u3);

groupshared float4 RayLight[RAYS];      // With the distance; negative for back faces.
groupshared float3 RayDirections[RAYS];

struct Hit {
  float3 position;
  float3 normal;
  float3 geometric;
  float3 color;
  float3 emission;
  float roughness;
  float metallic;
  float translucency;
  float distance;
  bool isBackface;
};

uint hash(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

float random(inout uint state) {
  state = hash(state + 0x9e3779b9u);
  return (state >> 8) / 16777216.0f;
}

float3 rotate(float4 q, float3 v) {
  float3 t = 2 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

float3 spiral(uint i, uint count) {
  float z = 1 - (2 * i + 1.0f) / count, r = sqrt(saturate(1 - z * z)), phi = i * 2.3999632f;
  return float3(r * cos(phi), r * sin(phi), z);
}

float2 toOctahedron(float3 n) {
  n /= abs(n.x) + abs(n.y) + abs(n.z);
  float2 folded = (1 - abs(n.yx)) * float2(n.x >= 0 ? 1 : -1, n.y >= 0 ? 1 : -1);
  return n.z >= 0 ? n.xy : folded;
}

float3 fromOctahedron(float2 f) {
  float3 n = float3(f, 1 - abs(f.x) - abs(f.y));
  float t = saturate(-n.z);
  n.x += n.x >= 0 ? -t : t;
  n.y += n.y >= 0 ? -t : t;
  return normalize(n);
}

// Probes scroll with the camera: their place in memory wraps around.
uint probeIndex(int3 at) {
  uint3 wrapped = uint3((at + ScrollOffset) % int3(Counts));
  return wrapped.x + Counts.x * (wrapped.y + Counts.y * wrapped.z);
}

uint2 texelCorner(uint probe, uint texels) {
  uint across = Counts.x * Counts.y;
  return uint2(probe % across, probe / across) * (texels + 2) + 1;
}

float3 probePosition(int3 at, float3 offset) {
  return Origin + (float3(at) - 0.5f * (float3(Counts) - 1)) * Spacing + offset;
}

uint3 loadIndices(Geometry g, uint primitive) {
  uint byte = (g.firstIndex + primitive * 3) * 2;
  uint2 words = Indices.Load2(byte & ~3u);
  if (byte & 2) {
    return uint3(words.x >> 16, words.y & 0xffff, words.y >> 16);
  }
  return uint3(words.x & 0xffff, words.x >> 16, words.y & 0xffff);
}

float2 loadUv(Geometry g, uint index) {
  uint packed = Vertices.Load((g.firstVertex + index) * g.stride + 16);
  return float2(f16tof32(packed), f16tof32(packed >> 16));
}

float3 loadNormal(Geometry g, uint index) {
  uint packed = Vertices.Load((g.firstVertex + index) * g.stride + 12);
  return fromOctahedron(float2(packed & 0xffff, packed >> 16) / 32767.5f - 1);
}

// Level of a texture by the width of the cone that a ray is.
float coneLevel(uint texture, float distance) {
  uint width, height;
  Textures[NonUniformResourceIndex(texture)].GetDimensions(width, height);
  return 0.5f * log2(max(float(width * height), 1)) + log2(max(distance * (2 * PI / RAYS), 1e-4f)) - 2;
}

// Holes of leaves are found by the texture; glass lets light through by chance.
bool isHitAccepted(uint instanceId, uint geometryIndex, uint primitive, float2 at, float distance, inout uint state) {
  Geometry g = Geometries[Instances[instanceId].firstGeometry + geometryIndex];
  Material m = Materials[g.material + Instances[instanceId].materialOffset];
  if (m.translucency > 0 && random(state) < m.translucency) {
    return false;
  }
  uint3 i = loadIndices(g, primitive);
  float2 uv = loadUv(g, i.x) * (1 - at.x - at.y) + loadUv(g, i.y) * at.x + loadUv(g, i.z) * at.y;
  float level = coneLevel(m.colorTexture, distance);
  return Textures[NonUniformResourceIndex(m.colorTexture)].SampleLevel(Wrap, uv, level).a >= m.cutoff;
}

bool isVisible(float3 from, float3 direction, float far, inout uint state) {
  RayDesc ray;
  ray.Origin = from;
  ray.Direction = direction;
  ray.TMin = 0.001f;
  ray.TMax = far;
  RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> query;
  query.TraceRayInline(Scene, RAY_FLAG_NONE, 0x7f, ray);
  while (query.Proceed()) {
    if (query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE &&
        isHitAccepted(query.CandidateInstanceID(), query.CandidateGeometryIndex(), query.CandidatePrimitiveIndex(),
                      query.CandidateTriangleBarycentrics(), query.CandidateTriangleRayT(), state)) {
      query.CommitNonOpaqueTriangleHit();
    }
  }
  return query.CommittedStatus() == COMMITTED_NOTHING;
}

bool traceNearest(float3 from, float3 direction, float far, inout uint state, out Hit hit) {
  hit = (Hit)0;
  RayDesc ray;
  ray.Origin = from;
  ray.Direction = direction;
  ray.TMin = 0;
  ray.TMax = far;
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, ray);
  while (query.Proceed()) {
    switch (query.CandidateType()) {
      case CANDIDATE_NON_OPAQUE_TRIANGLE:
        if (isHitAccepted(query.CandidateInstanceID(), query.CandidateGeometryIndex(),
                          query.CandidatePrimitiveIndex(), query.CandidateTriangleBarycentrics(),
                          query.CandidateTriangleRayT(), state)) {
          query.CommitNonOpaqueTriangleHit();
        }
        break;
      case CANDIDATE_PROCEDURAL_PRIMITIVE: {
        // Blobs of particles are unit spheres in their own space.
        float3 o = query.CandidateObjectRayOrigin(), d = query.CandidateObjectRayDirection();
        float a = dot(d, d), b = dot(o, d), c = dot(o, o) - 1;
        float root = b * b - a * c;
        if (root > 0) {
          float t = (-b - sqrt(root)) / a;
          if (t > ray.TMin && t < query.CommittedRayT()) {
            query.CommitProceduralPrimitiveHit(t);
          }
        }
        break;
      }
    }
  }
  uint status = query.CommittedStatus();
  if (status == COMMITTED_NOTHING) {
    return false;
  }
  hit.distance = query.CommittedRayT();
  hit.position = from + direction * hit.distance;
  if (status == COMMITTED_PROCEDURAL_PRIMITIVE_HIT) {
    float3 local = query.CommittedObjectRayOrigin() + query.CommittedObjectRayDirection() * hit.distance;
    hit.normal = normalize(mul((float3x3)query.CommittedObjectToWorld3x4(), local));
    hit.geometric = hit.normal;
    hit.color = 0.6f;
    hit.roughness = 1;
    return true;
  }
  Instance instance = Instances[query.CommittedInstanceID()];
  Geometry g = Geometries[instance.firstGeometry + query.CommittedGeometryIndex()];
  Material m = Materials[g.material + instance.materialOffset];
  uint3 i = loadIndices(g, query.CommittedPrimitiveIndex());
  float2 at = query.CommittedTriangleBarycentrics();
  float3 weights = float3(1 - at.x - at.y, at);
  float2 uv = loadUv(g, i.x) * weights.x + loadUv(g, i.y) * weights.y + loadUv(g, i.z) * weights.z;
  float3 normal = loadNormal(g, i.x) * weights.x + loadNormal(g, i.y) * weights.y + loadNormal(g, i.z) * weights.z;
  hit.isBackface = !query.CommittedTriangleFrontFace() && !(instance.flags & 1);
  hit.normal = normalize(mul((float3x3)query.CommittedObjectToWorld3x4(), normal));
  hit.normal = dot(hit.normal, direction) > 0 ? -hit.normal : hit.normal;
  hit.geometric = hit.normal;
  float level = coneLevel(m.colorTexture, hit.distance);
  hit.color = m.color * Textures[NonUniformResourceIndex(m.colorTexture)].SampleLevel(Wrap, uv, level).rgb;
  hit.emission = m.emission;
  if (any(m.emission > 0)) {
    hit.emission *= Textures[NonUniformResourceIndex(m.emissionTexture)].SampleLevel(Wrap, uv, level).rgb;
  }
  hit.roughness = m.roughness;
  hit.metallic = m.metallic;
  hit.translucency = m.translucency;
  return true;
}

// Light of the last frame's probes around a point: by position, direction, and whether they can see it.
float3 lookUp(float3 position, float3 normal, float3 toEye) {
  float3 biased = position + normal * NormalBias + toEye * ViewBias;
  float3 grid = (biased - Origin) / Spacing + 0.5f * (float3(Counts) - 1);
  int3 base = clamp(int3(floor(grid)), 0, int3(Counts) - 2);
  float3 f = saturate(grid - base);
  float2 lightSize = float2(Counts.x * Counts.y, Counts.z) * (LIGHT_TEXELS + 2);
  float2 distanceSize = float2(Counts.x * Counts.y, Counts.z) * (DISTANCE_TEXELS + 2);
  float3 sum = 0;
  float weights = 0;
  [loop]
  for (uint i = 0; i < 8; ++i) {
    int3 corner = int3(i & 1, i >> 1 & 1, i >> 2);
    uint index = probeIndex(base + corner);
    ProbeData probe = Probes[index];
    if (probe.state == STATE_OFF || probe.state == STATE_IN_WALL) {
      continue;
    }
    float3 center = probePosition(base + corner, probe.offset);
    float3 away = center - position, fromBiased = biased - center;
    float wrapped = (dot(normalize(away), normal) + 1) * 0.5f;
    float weight = wrapped * wrapped + 0.2f;
    float distance = length(fromBiased);
    float2 octahedron = toOctahedron(fromBiased / max(distance, 1e-4f)) * 0.5f + 0.5f;
    float2 at = texelCorner(index, DISTANCE_TEXELS) + octahedron * DISTANCE_TEXELS;
    float2 moments = LastDistances.SampleLevel(Clamp, at / distanceSize, 0);
    if (distance > moments.x) {
      // Chebyshev's bound on the chance that the probe sees this far.
      float variance = abs(moments.x * moments.x - moments.y);
      float excess = distance - moments.x;
      float chance = variance / (variance + excess * excess);
      weight *= max(chance * chance * chance, 0.05f);
    }
    weight = weight < 0.2f ? weight * weight * weight * 25 : weight;
    float3 linearWeight = lerp(1 - f, f, float3(corner));
    weight *= linearWeight.x * linearWeight.y * linearWeight.z + 0.001f;
    at = texelCorner(index, LIGHT_TEXELS) + (toOctahedron(normal) * 0.5f + 0.5f) * LIGHT_TEXELS;
    float3 light = LastLight.SampleLevel(Clamp, at / lightSize, 0).rgb;
    sum += sqrt(light) * weight;
    weights += weight;
  }
  sum /= max(weights, 1e-4f);
  return sum * sum * (2 * PI * EnergyLoss);
}

float3 sunLight(Hit hit, inout uint state) {
  float cosine = dot(hit.normal, SunDirection);
  if (cosine <= 0) {
    return 0;
  }
  float z = 1 - random(state) * (1 - cos(SunAngle)), phi = 2 * PI * random(state), r = sqrt(saturate(1 - z * z));
  float3 t = normalize(cross(SunDirection, float3(0.3f, 0.2f, 0.9f))), b = cross(SunDirection, t);
  float3 direction = SunDirection * z + t * (r * cos(phi)) + b * (r * sin(phi));
  bool isLit = isVisible(hit.position + hit.geometric * 0.01f, direction, 1000, state);
  return isLit ? SunColor * cosine : 0;
}

// Reservoirs: of some random lights, one is kept in proportion to what it would give, and gets the shadow ray.
float3 localLights(Hit hit, inout uint state) {
  float3 kept = 0, keptDirection = 0;
  float keptDistance = 0, keptTarget = 0, sum = 0;
  uint count = min(LightSamples, LightCount);
  for (uint i = 0; i < count; ++i) {
    Light light = Lights[min(uint(random(state) * LightCount), LightCount - 1)];
    float3 target = light.position;
    switch (light.kind) {
      case 0:
        target += light.radius * spiral(uint(random(state) * 31), 32);
        break;
      case 2: {
        float3 right = normalize(cross(light.direction, float3(0.1f, 0.9f, 0.3f)));
        float3 up = cross(right, light.direction);
        target += right * (random(state) * 2 - 1) * light.extent.x + up * (random(state) * 2 - 1) * light.extent.y;
        break;
      }
    }
    float3 away = target - hit.position;
    float squared = dot(away, away);
    if (squared >= light.range * light.range) {
      continue;
    }
    float3 direction = away * rsqrt(max(squared, 1e-6f));
    float cosine = dot(hit.normal, direction);
    if (cosine <= 0) {
      continue;
    }
    float ratio = squared / (light.range * light.range);
    float strength = cosine * (1 - ratio) * (1 - ratio) / max(squared, 0.01f);
    if (light.kind == 1) {
      strength *= saturate(dot(-direction, light.direction) * light.cone.x + light.cone.y);
    } else if (light.kind == 2) {
      strength *= saturate(dot(-direction, light.direction)) * light.extent.x * light.extent.y * 4;
    }
    float3 color = light.color * strength;
    float chance = dot(color, float3(0.3f, 0.6f, 0.1f));
    if (chance <= 0) {
      continue;
    }
    sum += chance;
    if (random(state) * sum < chance) {
      kept = color;
      keptDirection = direction;
      keptDistance = sqrt(squared);
      keptTarget = chance;
    }
  }
  if (keptTarget <= 0) {
    return 0;
  }
  if (!isVisible(hit.position + hit.geometric * 0.01f, keptDirection, keptDistance * 0.99f, state)) {
    return 0;
  }
  return kept * (sum / keptTarget) * LightCount / count;
}

float3 shade(Hit hit, float3 direction, inout uint state) {
  float3 light = sunLight(hit, state);
  if (LightCount > 0) {
    light += localLights(hit, state);
  }
  light += lookUp(hit.position, hit.normal, -direction);
  if (hit.translucency > 0) {
    light = lerp(light, lookUp(hit.position, -hit.normal, direction), 0.5f * hit.translucency);
  }
  float3 color = hit.color * lerp(1, 0.7f, hit.metallic) / PI;
  return light * color + (Flags & 4 ? hit.emission : 0);
}

float4 traceRay(float3 origin, float3 direction, inout uint state) {
  float3 weight = 1;
  float first = MaxDistance;
  float3 from = origin;
  [loop]
  for (uint bounce = 0; bounce < 2; ++bounce) {
    Hit hit;
    if (!traceNearest(from, direction, MaxDistance, state, hit)) {
      return float4(Sky.SampleLevel(Clamp, direction, 3).rgb * SkyStrength * weight, first);
    }
    if (bounce == 0) {
      first = hit.distance;
    }
    if (hit.isBackface) {
      return float4(0, 0, 0, bounce == 0 ? -0.2f * hit.distance : first);
    }
    bool isMirror = hit.metallic > 0.8f && hit.roughness < 0.2f;
    if (bounce == 0 && isMirror && (Flags & 8)) {
      weight *= hit.color;
      from = hit.position + hit.geometric * 0.01f;
      direction = reflect(direction, hit.normal);
      continue;
    }
    return float4(shade(hit, direction, state) * weight, first);
  }
  return float4(0, 0, 0, first);
}

// Away from walls that are near, and out of those that the probe is in.
void moveProbe(inout ProbeData probe) {
  float nearest = 1e9f, furthest = 0, nearestBack = 1e9f;
  float3 toNearest = 0, toFurthest = 0, toBack = 0;
  uint backfaces = 0;
  for (uint i = 0; i < RAYS; ++i) {
    float distance = RayLight[i].a;
    if (distance < 0) {
      ++backfaces;
      if (-distance * 5 < nearestBack) {
        nearestBack = -distance * 5;
        toBack = RayDirections[i];
      }
    } else if (distance < nearest) {
      nearest = distance;
      toNearest = RayDirections[i];
    } else if (distance > furthest) {
      furthest = distance;
      toFurthest = RayDirections[i];
    }
  }
  float share = float(backfaces) / RAYS;
  float3 moved = probe.offset;
  if (Flags & 1) {
    if (share > BackfaceLimit) {
      moved += toBack * (nearestBack + 0.1f * Spacing);
    } else if (nearest < 0.2f * Spacing) {
      bool isFree = dot(toNearest, toFurthest) <= 0;
      moved += isFree ? toFurthest * min(furthest, 0.2f * Spacing) : -toNearest * 0.1f * Spacing;
    } else {
      moved *= 0.95f;
    }
    if (all(abs(moved) < 0.45f * Spacing)) {
      probe.offset = moved;
    }
  }
  if (Flags & 2) {
    bool isUseful = nearest < Spacing * 1.75f;
    uint next = share > BackfaceLimit ? STATE_IN_WALL : isUseful ? STATE_ACTIVE : STATE_OFF;
    probe.state = next;
  }
}

void storeLight(uint probe, uint2 texel, bool isNew) {
  float3 direction = fromOctahedron((texel + 0.5f) / LIGHT_TEXELS * 2 - 1);
  float3 sum = 0;
  float weights = 0;
  for (uint i = 0; i < RAYS; ++i) {
    float weight = saturate(dot(direction, RayDirections[i]));
    if (RayLight[i].a >= 0 && weight > 0) {
      sum += RayLight[i].rgb * weight;
      weights += weight;
    }
  }
  float3 light = sum / max(2 * weights, 1e-4f);
  uint2 at = texelCorner(probe, LIGHT_TEXELS) + texel;
  float3 before = LastLight.Load(int3(at, 0)).rgb;
  float keep = isNew ? 0 : Hysteresis;
  float3 change = abs(light - before);
  if (max(change.r, max(change.g, change.b)) > 0.25f) {
    keep = max(keep - 0.75f, 0);
  }
  NextLight[at] = float4(lerp(light, before, keep), 1);
}

void storeDistance(uint probe, uint2 texel, bool isNew) {
  float3 direction = fromOctahedron((texel + 0.5f) / DISTANCE_TEXELS * 2 - 1);
  float3 sum = 0;
  for (uint i = 0; i < RAYS; ++i) {
    float weight = pow(saturate(dot(direction, RayDirections[i])), 50);
    float distance = min(abs(RayLight[i].a), Spacing * 1.5f);
    sum += float3(distance, distance * distance, 1) * weight;
  }
  float2 moments = sum.xy / max(sum.z, 1e-4f);
  uint2 at = texelCorner(probe, DISTANCE_TEXELS) + texel;
  NextDistances[at] = lerp(moments, LastDistances.Load(int3(at, 0)), isNew ? 0 : Hysteresis);
}

[numthreads(RAYS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  int3 at = int3(group);
  uint index = probeIndex(at);
  ProbeData probe = Probes[index];
  bool isSleeping = (probe.state == STATE_OFF || probe.state == STATE_IN_WALL) && ((FrameIndex + index) & 31) != 0;
  if (isSleeping) {
    return;
  }
  uint state = hash(index * 977 + thread) ^ hash(FrameIndex);
  float3 direction = rotate(Rotation, spiral(thread, RAYS));
  RayDirections[thread] = direction;
  RayLight[thread] = traceRay(probePosition(at, probe.offset), direction, state);
  GroupMemoryBarrierWithGroupSync();

  bool isNew = probe.state == STATE_NEW;
  for (uint i = thread; i < LIGHT_TEXELS * LIGHT_TEXELS; i += RAYS) {
    storeLight(index, uint2(i % LIGHT_TEXELS, i / LIGHT_TEXELS), isNew);
  }
  for (uint j = thread; j < DISTANCE_TEXELS * DISTANCE_TEXELS; j += RAYS) {
    storeDistance(index, uint2(j % DISTANCE_TEXELS, j / DISTANCE_TEXELS), isNew);
  }
  if (thread == 0) {
    moveProbe(probe);
    Probes[index] = probe;
    if (probe.state == STATE_ACTIVE) {
      InterlockedAdd(ActiveCount[0], 1);
    }
  }
}
