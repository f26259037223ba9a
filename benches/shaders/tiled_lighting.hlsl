// trellis: cs_6_6 main
// Deferred lighting by tiles: depth bounds by waves, lists of lights, rectangles and probes in shared memory,
// and one specialization of the shading for each model that the tile has: lit, coat, skin, hair.

#define PI 3.14159265f
#define TILE 16
#define THREADS (TILE * TILE)
#define MAX_LIGHTS 192
#define MAX_RECTANGLES 16
#define MAX_PROBES 8
#define MODEL_LIT 0
#define MODEL_COAT 1
#define MODEL_SKIN 2
#define MODEL_HAIR 3
#define MODEL_COUNT 4

cbuffer Frame : register(b0) {
  float4x4 InverseViewProjection;
  float4x4 View;
  float4x4 Projection;
  float4x4 InverseProjection;
  float4x4 ShadowMatrix;
  float4 CascadeScales[4];
  float4 CascadeOffsets[4];
  float3 Eye;
  uint FrameIndex;
  float3 SunDirection;
  float SunSize;
  float3 SunColor;
  uint LightCount;
  uint2 Size;
  uint RectangleCount;
  uint ProbeCount;
  float4 Harmonics[7];
  float AmbientStrength;
  float ContactLength;
  uint ContactSteps;
  uint Flags;  // 1: debug view.
};

struct Light {
  float3 position;
  float range;
  float3 color;
  float sourceRadius;
  float3 direction;
  float coneScale;
  float coneOffset;
  uint shadow;  // Slot plus 1.
  uint channels;
  float specularScale;
};

struct Rectangle {
  float3 center;
  float range;
  float3 halfRight;
  uint twoSided;
  float3 halfUp;
  uint texture;
  float3 color;
  float barn;
};

struct Probe {
  float3 center;
  float range;
  float3 color;
  uint slice;
};

Texture2D<float> Depth : register(t0);
Texture2D<float4> GBufferA : register(t1);  // Normal, model.
Texture2D<float4> GBufferB : register(t2);  // Colour, occlusion.
Texture2D<float4> GBufferC : register(t3);  // Metallic, specular, roughness, mask of channels.
Texture2D<float4> GBufferD : register(t4);  // Of the model.
StructuredBuffer<Light> Lights : register(t5);
StructuredBuffer<Rectangle> Rectangles : register(t6);
StructuredBuffer<Probe> Probes : register(t7);
Texture2DArray<float> SunShadows : register(t8);
TextureCubeArray<float> LightShadows : register(t9);
TextureCubeArray<float4> ProbeTextures : register(t10);
Texture2D<float4> LtcMatrices : register(t11);
Texture2D<float4> LtcScales : register(t12);
Texture2DArray<float4> RectangleTextures : register(t13);
Texture2D<float4> SkinTable : register(t14);
Texture2D<float4> BrdfTable : register(t15);
SamplerState Linear : register(s0);
SamplerComparisonState Compare : register(s1);
RWTexture2D<float4> Result : register(u0);
RWTexture2D<float4> SubsurfaceResult : register(u1);

groupshared uint DepthLow, DepthHigh, ModelMask;
groupshared uint LightList[MAX_LIGHTS], LightListCount;
groupshared uint RectangleList[MAX_RECTANGLES], RectangleListCount;
groupshared uint ProbeList[MAX_PROBES], ProbeListCount;

struct Pixel {
  float3 world;
  float3 normal;
  float3 view;
  float3 color;
  float3 f0;
  float3 diffuse;
  float4 custom;
  float metallic;
  float roughness;
  float alpha;
  float occlusion;
  float depth;
  float noise;
  uint channels;
  uint model;
};

struct Lit {
  float3 diffuse;
  float3 specular;
};

float square(float x) {
  return x * x;
}

float3 schlick(float3 f0, float cosine) {
  float c = saturate(1 - cosine), c2 = c * c;
  return f0 + (1 - f0) * (c2 * c2 * c);
}

float ggx(float noh, float alpha) {
  float a2 = alpha * alpha;
  return a2 / (PI * square(noh * noh * (a2 - 1) + 1));
}

float visibility(float nov, float nol, float alpha) {
  return 0.5f / max(lerp(2 * nol * nov, nol + nov, alpha), 1e-4f);
}

float3 unpackNormal(float2 f) {
  f = f * 2 - 1;
  float3 n = float3(f, 1 - abs(f.x) - abs(f.y));
  float t = saturate(-n.z);
  n.x += n.x >= 0 ? -t : t;
  n.y += n.y >= 0 ? -t : t;
  return normalize(n);
}

Pixel loadPixel(uint2 at, float depth) {
  float4 a = GBufferA.Load(int3(at, 0)), b = GBufferB.Load(int3(at, 0)), c = GBufferC.Load(int3(at, 0));
  Pixel p;
  float2 device = (at + 0.5f) / Size * float2(2, -2) + float2(-1, 1);
  float4 world = mul(InverseViewProjection, float4(device, depth, 1));
  p.world = world.xyz / world.w;
  p.view = normalize(Eye - p.world);
  p.normal = unpackNormal(a.xy);
  p.model = min(uint(a.w * 15 + 0.5f), MODEL_COUNT - 1);
  p.color = b.rgb * b.rgb;
  p.occlusion = b.a;
  p.metallic = c.r;
  p.roughness = max(c.b, 0.03f);
  p.alpha = p.roughness * p.roughness;
  p.channels = uint(c.a * 255 + 0.5f);
  p.f0 = lerp(0.08f * c.g, p.color, p.metallic);
  p.diffuse = p.color * (1 - p.metallic);
  p.custom = 0;
  if (p.model != MODEL_LIT) {
    p.custom = GBufferD.Load(int3(at, 0));
  }
  p.depth = mul(View, float4(p.world, 1)).z;
  float2 q = at + 5.588238f * (FrameIndex & 63);
  p.noise = frac(52.9829189f * frac(dot(q, float2(0.06711056f, 0.00583715f))));
  return p;
}

// Planes through the eye and the borders of the tile, in view space.
void makePlanes(uint2 tile, out float3 planes[4]) {
  float2 low = float2(tile * TILE) / Size, high = float2((tile + 1) * TILE) / Size;
  float3 corners[4];
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float2 at = float2(i == 1 || i == 2 ? high.x : low.x, i >= 2 ? high.y : low.y);
    float4 p = mul(InverseProjection, float4(at * float2(2, -2) + float2(-1, 1), 1, 1));
    corners[i] = p.xyz / p.w;
  }
  [unroll]
  for (uint j = 0; j < 4; ++j) {
    planes[j] = normalize(cross(corners[(j + 1) & 3], corners[j]));
  }
}

bool sphereTouches(float3 planes[4], float3 center, float radius, float near, float far) {
  if (center.z + radius < near || center.z - radius > far) {
    return false;
  }
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    if (dot(planes[i], center) > radius) {
      return false;
    }
  }
  return true;
}

// A cone is outside if the sphere around it is, or if it is turned away from the tile's own sphere.
bool coneTouches(Light light, float3 axis, float3 center, float3 tileCenter, float tileRadius) {
  if (light.coneScale <= 0) {
    return true;
  }
  float3 away = tileCenter - center;
  float cosine = saturate(-light.coneOffset / light.coneScale);
  float sine = sqrt(1 - cosine * cosine);
  float along = dot(away, axis);
  float across = sqrt(max(dot(away, away) - along * along, 0));
  float distance = cosine * across - along * sine;
  return distance <= tileRadius && along <= tileRadius + light.range && along >= -tileRadius;
}

// Slots in the list of lights, by a single atomic operation per wave.
uint reserve(bool isAdded) {
  uint added = WaveActiveCountBits(isAdded);
  uint start = 0;
  if (added > 0 && WaveIsFirstLane()) {
    InterlockedAdd(LightListCount, added, start);
  }
  return WaveReadLaneFirst(start) + WavePrefixCountBits(isAdded);
}

void cullLights(uint thread, uint2 tile) {
  float near = asfloat(DepthLow), far = asfloat(DepthHigh);
  float3 planes[4];
  makePlanes(tile, planes);
  float2 at = float2(tile * TILE + TILE / 2) / Size * float2(2, -2) + float2(-1, 1);
  float4 ray = mul(InverseProjection, float4(at, 1, 1));
  float3 middle = ray.xyz / ray.w;
  middle *= 0.5f * (near + far) / middle.z;
  float tileRadius = 0.5f * (far - near) + middle.z * TILE / float(Size.y);
  for (uint i = 0; i < LightCount; i += THREADS) {
    uint index = i + thread;
    bool isAdded = false;
    if (index < LightCount) {
      Light light = Lights[index];
      float3 center = mul(View, float4(light.position, 1)).xyz;
      isAdded = sphereTouches(planes, center, light.range, near, far);
      if (isAdded && light.coneScale > 0) {
        isAdded = coneTouches(light, mul((float3x3)View, light.direction), center, middle, tileRadius);
      }
    }
    uint slot = reserve(isAdded);
    if (isAdded && slot < MAX_LIGHTS) {
      LightList[slot] = index;
    }
  }
  if (thread < RectangleCount) {
    Rectangle r = Rectangles[thread];
    float3 center = mul(View, float4(r.center, 1)).xyz;
    float3 axis = mul((float3x3)View, cross(r.halfRight, r.halfUp));
    bool isBehind = !r.twoSided && dot(axis, middle - center) > tileRadius * length(axis);
    if (!isBehind && sphereTouches(planes, center, r.range, near, far)) {
      uint slot;
      InterlockedAdd(RectangleListCount, 1, slot);
      if (slot < MAX_RECTANGLES) {
        RectangleList[slot] = thread;
      }
    }
  }
  if (thread < ProbeCount) {
    Probe probe = Probes[thread];
    if (sphereTouches(planes, mul(View, float4(probe.center, 1)).xyz, probe.range, near, far)) {
      uint slot;
      InterlockedAdd(ProbeListCount, 1, slot);
      if (slot < MAX_PROBES) {
        ProbeList[slot] = thread;
      }
    }
  }
}

#include "tiled_models.hlsli"

template <uint MODEL>
void shadeTile(Pixel p, uint2 at, float shadow, float3 mirrored) {
  Lit sum;
  sum.diffuse = 0;
  sum.specular = 0;
  sunLight<MODEL>(p, shadow, sum);
  uint lights = min(LightListCount, MAX_LIGHTS);
  for (uint i = 0; i < lights; ++i) {
    Light light = Lights[LightList[i]];
    if (light.channels & p.channels) {
      pointLight<MODEL>(p, light, sum);
    }
  }
  uint rectangles = min(RectangleListCount, MAX_RECTANGLES);
  for (uint j = 0; j < rectangles; ++j) {
    rectangleLight<MODEL>(p, Rectangles[RectangleList[j]], sum);
  }
  ambientLight<MODEL>(p, mirrored, sum);
  if (MODEL == MODEL_SKIN) {
    // Blurred later; the colour is applied then.
    SubsurfaceResult[at] = float4(sum.diffuse, p.custom.a);
    sum.diffuse = 0;
  }
  Result[at] = float4(min(sum.diffuse + sum.specular, 60000), 1);
}

[numthreads(TILE, TILE, 1)]
void main(uint3 group : SV_GroupID, uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  if (thread == 0) {
    DepthLow = 0x7f7fffff;
    DepthHigh = 0;
    ModelMask = 0;
    LightListCount = 0;
    RectangleListCount = 0;
    ProbeListCount = 0;
  }
  GroupMemoryBarrierWithGroupSync();

  float depth = all(id.xy < Size) ? Depth.Load(int3(id.xy, 0)) : 1;
  bool isSurface = depth < 1;
  Pixel p = (Pixel)0;
  if (isSurface) {
    p = loadPixel(id.xy, depth);
  }
  uint low = WaveActiveMin(isSurface ? asuint(p.depth) : 0x7f7fffff);
  uint high = WaveActiveMax(isSurface ? asuint(p.depth) : 0);
  uint models = WaveActiveBitOr(isSurface ? 1u << p.model : 0);
  if (WaveIsFirstLane()) {
    InterlockedMin(DepthLow, low);
    InterlockedMax(DepthHigh, high);
    InterlockedOr(ModelMask, models);
  }
  GroupMemoryBarrierWithGroupSync();
  if (ModelMask == 0) {
    return;
  }
  cullLights(thread, group.xy);
  GroupMemoryBarrierWithGroupSync();
  if (!isSurface) {
    return;
  }
  if (Flags & 1) {
    float heat = saturate(LightListCount / 32.0f);
    Result[id.xy] = float4(heat, 1 - abs(heat * 2 - 1), 1 - heat, countbits(ModelMask));
    return;
  }

  float shadow = sunShadow(p);
  if (shadow > 0 && ContactSteps > 0 && p.model != MODEL_HAIR) {
    shadow *= contactShadow(p, SunDirection);
  }

  float3 mirrored = reflectionOf(p.world, reflect(-p.view, p.normal), p.roughness);

  // Most tiles have one model, and none of the others' code runs.
  uint remaining = ModelMask;
  while (remaining != 0) {
    uint model = firstbitlow(remaining);
    remaining &= remaining - 1;
    if (p.model != model) {
      continue;
    }
    switch (model) {
      case MODEL_COAT: shadeTile<MODEL_COAT>(p, id.xy, shadow, mirrored); break;
      case MODEL_SKIN: shadeTile<MODEL_SKIN>(p, id.xy, shadow, mirrored); break;
      case MODEL_HAIR: shadeTile<MODEL_HAIR>(p, id.xy, shadow, mirrored); break;
      default: shadeTile<MODEL_LIT>(p, id.xy, shadow, mirrored); break;
    }
  }
}
