// trellis: cs_6_0 main
// Path tracer in compute: a hierarchy of two levels with a stack, textured materials with several lobes, media,
// lights by importance and multiple importance sampling, and accumulation with guides for a denoiser.

#define PI 3.14159265f
#define NONE 0xffffffffu
#define STACK_SIZE 32
#define MATERIAL_DIFFUSE 0
#define MATERIAL_METAL 1
#define MATERIAL_GLASS 2
#define MATERIAL_PLASTIC 3
#define MATERIAL_CLOTH 4
#define MATERIAL_SKIN 5

cbuffer Frame : register(b0) {
  float4x4 InverseViewProjection;
  float4x4 LastViewProjection;
  float3 Eye;
  float LensRadius;
  float3 Forward;
  float FocusDistance;
  uint2 Size;
  uint FrameIndex;
  uint SampleCount;
  uint MaxBounces;
  uint LightCount;
  float SkyIntensity;
  float Clamp;
  float3 SunDirection;
  float SunCosine;
  float3 SunColor;
  float MediumDensity;
  float3 MediumColor;
  float MediumAnisotropy;
};

struct Node {
  float3 low;
  uint first;  // First child, or first triangle or instance of a leaf.
  float3 high;
  uint count;  // 0: an inner node, whose children are adjacent.
};

struct Instance {
  float4 toObject[3];
  float4 toWorld[3];
  uint root;
  uint firstMaterial;
  uint mask;
  uint flags;
};

struct Triangle {
  float3 corner;
  uint material;
  float3 edge1;
  uint attributes;
  float3 edge2;
  uint flags;
};

struct Attributes {
  uint normals[3];
  uint uvs[3];
};

struct Material {
  float3 color;
  uint kind;
  float3 emission;
  float roughness;
  float3 absorption;
  float index;
  uint colorTexture;
  uint roughnessTexture;
  float sheen;
  float cutoff;
};

struct Light {
  float3 corner;
  float area;
  float3 edge1;
  float cdf;
  float3 edge2;
  uint twoSided;
  float3 color;
  float pick;  // Probability.
};

StructuredBuffer<Node> TopNodes : register(t0);
StructuredBuffer<Node> Nodes : register(t1);
StructuredBuffer<Instance> Instances : register(t2);
StructuredBuffer<Triangle> Triangles : register(t3);
StructuredBuffer<Attributes> TriangleAttributes : register(t4);
StructuredBuffer<Material> Materials : register(t5);
StructuredBuffer<Light> Lights : register(t6);
Texture2DArray<float4> Textures : register(t7);
Texture2D<float4> Sky : register(t8);
StructuredBuffer<float2> SkyRows : register(t9);     // Cumulated and own probability.
StructuredBuffer<float2> SkyColumns : register(t10);
SamplerState Wrap : register(s0);
RWTexture2D<float4> Accumulated : register(u0);
RWTexture2D<float4> GuideAlbedo : register(u1);
RWTexture2D<float4> GuideNormal : register(u2);
RWTexture2D<float2> GuideMotion : register(u3);

struct Ray {
  float3 origin;
  float3 direction;
  float far;
};

struct Hit {
  float distance;
  float2 at;
  uint triangleIndex;
  uint instanceIndex;
};

struct Surface {
  float3 position;
  float3 geometric;
  float3 normal;
  float3 color;
  float3 emission;
  float3 absorption;
  float alpha;
  float index;
  float sheen;
  uint kind;
  bool isInside;
};

struct Scattered {
  float3 direction;
  float3 weight;
  float density;  // 0: a mirror, which no light sample can meet.
  bool passesThrough;
};

uint advance(inout uint state) {
  state = state * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

float random(inout uint state) {
  return (advance(state) >> 8) / 16777216.0f;
}

float2 random2(inout uint state) {
  float x = random(state);
  return float2(x, random(state));
}

void makeFrame(float3 n, out float3 t, out float3 b) {
  float s = n.z >= 0 ? 1.0f : -1.0f;
  float a = -1 / (s + n.z);
  float c = n.x * n.y * a;
  t = float3(1 + s * n.x * n.x * a, s * c, -s * n.x);
  b = float3(c, s + n.y * n.y * a, -n.y);
}

float3 transformPoint(float4 rows[3], float3 p) {
  return float3(dot(rows[0], float4(p, 1)), dot(rows[1], float4(p, 1)), dot(rows[2], float4(p, 1)));
}

float3 transformVector(float4 rows[3], float3 v) {
  return float3(dot(rows[0].xyz, v), dot(rows[1].xyz, v), dot(rows[2].xyz, v));
}

float3 unpackNormal(uint packed) {
  float2 f = float2(packed & 0xffff, packed >> 16) / 32767.5f - 1;
  float3 n = float3(f, 1 - abs(f.x) - abs(f.y));
  float t = saturate(-n.z);
  n.x += n.x >= 0 ? -t : t;
  n.y += n.y >= 0 ? -t : t;
  return normalize(n);
}

float2 unpackUv(uint packed) {
  return float2(f16tof32(packed), f16tof32(packed >> 16));
}

// Distance to the box, or a large number.
float meetBox(float3 low, float3 high, float3 origin, float3 inverse, float far) {
  float3 a = (low - origin) * inverse, b = (high - origin) * inverse;
  float3 first = min(a, b), second = max(a, b);
  float enter = max(max(first.x, first.y), max(first.z, 0));
  float leave = min(min(second.x, second.y), min(second.z, far));
  return enter <= leave ? enter : 1e30f;
}

bool meetTriangle(Triangle t, float3 origin, float3 direction, inout Hit hit) {
  float3 p = cross(direction, t.edge2);
  float determinant = dot(t.edge1, p);
  if (abs(determinant) < 1e-12f) {
    return false;
  }
  float inverse = 1 / determinant;
  float3 s = origin - t.corner;
  float u = dot(s, p) * inverse;
  if (u < 0 || u > 1) {
    return false;
  }
  float3 q = cross(s, t.edge1);
  float v = dot(direction, q) * inverse;
  if (v < 0 || u + v > 1) {
    return false;
  }
  float distance = dot(t.edge2, q) * inverse;
  if (distance <= 1e-5f || distance >= hit.distance) {
    return false;
  }
  hit.distance = distance;
  hit.at = float2(u, v);
  return true;
}

float2 uvAt(Triangle t, float2 at) {
  Attributes a = TriangleAttributes[t.attributes];
  return unpackUv(a.uvs[0]) * (1 - at.x - at.y) + unpackUv(a.uvs[1]) * at.x + unpackUv(a.uvs[2]) * at.y;
}

// Leaves and fences have holes.
bool isOpaque(Triangle t, float2 at) {
  if (!(t.flags & 1)) {
    return true;
  }
  Material m = Materials[t.material];
  return Textures.SampleLevel(Wrap, float3(uvAt(t, at), m.colorTexture), 0).a >= m.cutoff;
}

// The nearest hit, or any hit with `isShadow`. One stack is for both levels.
bool trace(Ray ray, uint mask, bool isShadow, out Hit hit) {
  uint stack[STACK_SIZE];
  uint top = 0, node = 0, bottom = 0, instanceIndex = NONE;
  float3 origin = ray.origin, direction = ray.direction;
  float3 inverse = 1 / direction;
  hit.distance = ray.far;
  hit.at = 0;
  hit.triangleIndex = NONE;
  hit.instanceIndex = NONE;
  [loop]
  while (true) {
    Node current;
    if (instanceIndex == NONE) {
      current = TopNodes[node];
    } else {
      current = Nodes[node];
    }
    bool descends = false;
    if (current.count == 0) {
      Node left, right;
      if (instanceIndex == NONE) {
        left = TopNodes[current.first];
        right = TopNodes[current.first + 1];
      } else {
        left = Nodes[current.first];
        right = Nodes[current.first + 1];
      }
      float toLeft = meetBox(left.low, left.high, origin, inverse, hit.distance);
      float toRight = meetBox(right.low, right.high, origin, inverse, hit.distance);
      uint near = current.first, far = current.first + 1;
      if (toRight < toLeft) {
        near = current.first + 1;
        far = current.first;
      }
      if (min(toLeft, toRight) < 1e30f) {
        if (max(toLeft, toRight) < 1e30f && top < STACK_SIZE) {
          stack[top++] = far;
        }
        node = near;
        continue;
      }
    } else if (instanceIndex == NONE) {
      // A leaf of the upper level has one instance, whose nodes come next.
      Instance instance = Instances[current.first];
      if (instance.mask & mask) {
        instanceIndex = current.first;
        origin = transformPoint(instance.toObject, ray.origin);
        direction = transformVector(instance.toObject, ray.direction);
        inverse = 1 / direction;
        bottom = top;
        node = instance.root;
        continue;
      }
    } else {
      for (uint i = 0; i < current.count; ++i) {
        Triangle t = Triangles[current.first + i];
        Hit found = hit;
        if (!meetTriangle(t, origin, direction, found) || !isOpaque(t, found.at)) {
          continue;
        }
        hit = found;
        hit.triangleIndex = current.first + i;
        hit.instanceIndex = instanceIndex;
        if (isShadow) {
          return true;
        }
      }
    }
    if (instanceIndex != NONE && top == bottom) {
      instanceIndex = NONE;
      origin = ray.origin;
      direction = ray.direction;
      inverse = 1 / direction;
    }
    if (top == 0) {
      break;
    }
    node = stack[--top];
  }
  return hit.triangleIndex != NONE;
}

Surface makeSurface(Hit hit, Ray ray) {
  Triangle t = Triangles[hit.triangleIndex];
  Instance instance = Instances[hit.instanceIndex];
  Attributes a = TriangleAttributes[t.attributes];
  Material m = Materials[t.material + instance.firstMaterial];
  Surface s;
  s.position = ray.origin + ray.direction * hit.distance;
  float3 normal = unpackNormal(a.normals[0]) * (1 - hit.at.x - hit.at.y) + unpackNormal(a.normals[1]) * hit.at.x +
                  unpackNormal(a.normals[2]) * hit.at.y;
  s.normal = normalize(transformVector(instance.toWorld, normal));
  s.geometric = normalize(transformVector(instance.toWorld, cross(t.edge1, t.edge2)));
  s.isInside = dot(s.geometric, ray.direction) > 0;
  if (s.isInside) {
    s.geometric = -s.geometric;
    s.normal = -s.normal;
  }
  // A normal that faces away would lose light.
  float facing = dot(s.normal, ray.direction);
  if (facing > -0.01f) {
    s.normal = normalize(s.normal - ray.direction * (facing + 0.02f));
  }
  float2 uv = uvAt(t, hit.at);
  s.color = m.color;
  float roughness = m.roughness;
  if (m.colorTexture != NONE) {
    s.color *= Textures.SampleLevel(Wrap, float3(uv, m.colorTexture), 0).rgb;
  }
  if (m.roughnessTexture != NONE) {
    roughness *= Textures.SampleLevel(Wrap, float3(uv, m.roughnessTexture), 0).g;
  }
  s.alpha = max(roughness * roughness, 1e-3f);
  s.emission = m.emission;
  s.absorption = m.absorption;
  s.index = m.index;
  s.sheen = m.sheen;
  s.kind = m.kind;
  return s;
}

#include "path_scattering.hlsli"

// Light along a path; `first` is what the camera sees.
float3 tracePath(Ray ray, inout uint state, out Surface first, out bool isSky) {
  float3 light = 0, throughput = 1, absorption = 0;
  float density = 0;
  isSky = true;
  first = (Surface)0;
  [loop]
  for (uint bounce = 0; bounce <= MaxBounces; ++bounce) {
    Hit hit;
    bool isHit = trace(ray, 0xff, false, hit);
    if (MediumDensity > 0) {
      float distance = -log(1 - random(state)) / MediumDensity;
      if (distance < hit.distance) {
        // Scattered by the air before a surface is met.
        float3 at = ray.origin + ray.direction * distance;
        throughput *= MediumColor;
        light += throughput * mediumLight(at, ray.direction, state);
        float2 u = random2(state);
        ray.direction = sampleMedium(ray.direction, u);
        ray.origin = at;
        ray.far = 1e20f;
        density = 1;
        if (dot(throughput, 1) < 0.02f) {
          break;
        }
        continue;
      }
    }
    if (!isHit) {
      float weight = density > 0 ? balance(density, skyDensity(ray.direction)) : 1;
      light += throughput * skyLight(ray.direction) * weight;
      break;
    }
    Surface s = makeSurface(hit, ray);
    if (bounce == 0) {
      first = s;
      isSky = false;
    }
    throughput *= exp(-absorption * hit.distance);
    if (any(s.emission > 0)) {
      float weight = 1;
      if (density > 0 && !s.isInside) {
        weight = balance(density, emitterDensity(hit, s, ray));
      }
      light += throughput * s.emission * weight;
    }
    float3 v = -ray.direction;
    if (s.kind != MATERIAL_GLASS || s.alpha > 0.01f) {
      light += min(throughput * sampleLights(s, v, state), Clamp);
    }
    Scattered next;
    if (!scatter(s, v, state, next)) {
      break;
    }
    throughput *= next.weight;
    density = next.density;
    if (next.passesThrough) {
      absorption = s.isInside ? 0 : s.absorption;
    }
    ray.origin = s.position + s.geometric * (next.passesThrough ? -1e-4f : 1e-4f);
    ray.direction = next.direction;
    ray.far = 1e20f;
    // Weak paths end by chance, what remains is stronger.
    if (bounce > 2) {
      float survives = min(max(throughput.r, max(throughput.g, throughput.b)), 0.95f);
      if (random(state) >= survives) {
        break;
      }
      throughput /= survives;
    }
  }
  return light;
}

Ray cameraRay(float2 pixel, inout uint state) {
  float2 at = pixel / Size * float2(2, -2) + float2(-1, 1);
  float4 far = mul(InverseViewProjection, float4(at, 1, 1));
  Ray ray;
  ray.origin = Eye;
  ray.direction = normalize(far.xyz / far.w - Eye);
  ray.far = 1e20f;
  if (LensRadius > 0) {
    float3 focus = Eye + ray.direction * (FocusDistance / max(dot(ray.direction, Forward), 0.01f));
    // An aperture of six blades.
    float2 u = random2(state);
    float blade = floor(random(state) * 6);
    float a = (blade + u.y) * (PI / 3);
    float edge = cos(PI / 6) / cos((u.y - 0.5f) * (PI / 3));
    float3 right = normalize(cross(Forward, float3(0, 1, 0)));
    float2 lens = float2(cos(a), sin(a)) * sqrt(u.x) * edge * LensRadius;
    ray.origin += right * lens.x + cross(right, Forward) * lens.y;
    ray.direction = normalize(focus - ray.origin);
  }
  return ray;
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (any(id.xy >= Size)) {
    return;
  }
  uint state = id.x * 1973u + id.y * 9277u + FrameIndex * 26699u;
  advance(state);
  float3 sum = 0;
  for (uint i = 0; i < SampleCount; ++i) {
    float2 u = random2(state);
    // A tent filter.
    float2 offset = float2(u.x < 0.5f ? sqrt(2 * u.x) - 1 : 1 - sqrt(2 - 2 * u.x),
                           u.y < 0.5f ? sqrt(2 * u.y) - 1 : 1 - sqrt(2 - 2 * u.y));
    Surface first;
    bool isSky;
    float3 light = tracePath(cameraRay(id.xy + 0.5f + offset, state), state, first, isSky);
    if (any(isnan(light)) || any(isinf(light))) {
      continue;
    }
    sum += light;
    if (i == 0) {
      GuideAlbedo[id.xy] = isSky ? 1 : float4(first.color, sqrt(first.alpha));
      GuideNormal[id.xy] = isSky ? 0 : float4(first.normal, length(first.position - Eye));
      float4 clip = mul(LastViewProjection, float4(isSky ? Eye + Forward * 1e4f : first.position, 1));
      float2 last = (clip.xy / clip.w * float2(0.5f, -0.5f) + 0.5f) * Size;
      GuideMotion[id.xy] = id.xy + 0.5f - last;
    }
  }
  float4 before = FrameIndex > 0 ? Accumulated[id.xy] : 0;
  Accumulated[id.xy] = before + float4(sum, SampleCount);
}
