// trellis: ps_6_6 main
// Forward pixel shader of an engine's standard material: parallax, layers, decals, clustered lights of several
// shapes, cascaded and cube shadows, clear coat, sheen, anisotropy, thin film, subsurface light, probes, fog.

#define PI 3.14159265f
#define CASCADES 4
#define FEATURE_PARALLAX 1u
#define FEATURE_COAT 2u
#define FEATURE_SHEEN 4u
#define FEATURE_ANISOTROPY 8u
#define FEATURE_FILM 16u
#define FEATURE_SUBSURFACE 32u
#define FEATURE_DETAIL 64u
#define FEATURE_WETNESS 128u
#define FEATURE_ALPHA_TEST 256u
#define FEATURE_TRANSMISSION 512u

cbuffer Frame : register(b0) {
  float4x4 View;
  float4x4 LastViewProjection;
  float4x4 Cascades[CASCADES];
  float4 CascadeEnds;
  float4 CascadeTexels;
  float3 Eye;
  float Time;
  float3 SunDirection;
  float SunAngle;
  float3 SunColor;
  float Exposure;
  float2 Size;
  float2 Jitter;
  uint3 ClusterCount;
  uint DecalCount;
  float2 ClusterScale;
  float Wetness;
  float FogDensity;
  float3 FogColor;
  float FogHeight;
  float4 Harmonics[9];
  uint ProbeCount;
  uint FrameIndex;
  float FogAnisotropy;
  float MipBias;
};

cbuffer Material : register(b1) {
  float4 BaseColor;
  float3 Emission;
  float Roughness;
  float3 SheenColor;
  float SheenRoughness;
  float3 SubsurfaceColor;
  float SubsurfaceRadius;
  float Metallic;
  float Reflectance;
  float Coat;
  float CoatRoughness;
  float Anisotropy;
  float AnisotropyAngle;
  float FilmThickness;
  float FilmIndex;
  float ParallaxDepth;
  float DetailScale;
  float AlphaCutoff;
  float Transmission;
  uint Features;
  uint BaseTexture;
  uint NormalTexture;
  uint MaskTexture;
  uint HeightTexture;
  uint DetailTexture;
  uint CoatNormalTexture;
  uint EmissionTexture;
};

struct Light {
  float3 position;
  float range;
  float3 color;
  uint kind;  // 0 point, 1 spot, 2 tube, 3 rectangle.
  float3 axis;
  float width;
  float3 up;
  float height;
  float2 cone;  // Scale and offset of the cosine.
  int shadow;
  int cookie;
};

struct Decal {
  float4x4 toBox;
  float4 color;
  uint baseTexture;
  uint normalTexture;
  float blend;
  float normalStrength;
};

struct Probe {
  float4x4 toBox;
  float3 center;
  float fade;
  float3 halfExtent;
  uint layer;
};

Texture2D<float4> Textures[] : register(t0, space1);
Texture2DArray<float> SunShadows : register(t0);
TextureCubeArray<float> PointShadows : register(t1);
Texture2DArray<float> SpotShadows : register(t2);
Texture2DArray<float4> Cookies : register(t3);
TextureCubeArray<float4> ProbeTextures : register(t4);
Texture2D<float4> BrdfTable : register(t5);
Texture2D<float> Occlusion : register(t6);
Texture3D<float4> FogVolume : register(t7);
Texture2D<float4> SceneColor : register(t8);
StructuredBuffer<Light> Lights : register(t9);
StructuredBuffer<Decal> Decals : register(t10);
StructuredBuffer<Probe> Probes : register(t11);
StructuredBuffer<float4x4> SpotMatrices : register(t12);
StructuredBuffer<uint2> Clusters : register(t13);
StructuredBuffer<uint> LightIndices : register(t14);
Texture2D<float> RainRipples : register(t15);
SamplerState Aniso : register(s0);
SamplerState Linear : register(s1);
SamplerComparisonState Compare : register(s2);

struct Input {
  float4 position : SV_Position;
  float3 world : WORLD;
  float3 normal : NORMAL;
  float4 tangent : TANGENT;
  float2 uv : UV0;
  float2 uv2 : UV1;
  float4 color : COLOR;
  float4 lastClip : LAST;
  bool isFront : SV_IsFrontFace;
};

struct Output {
  float4 color : SV_Target0;
  float2 motion : SV_Target1;
  float4 normalRoughness : SV_Target2;
};

struct Surface {
  float3 albedo;
  float3 f0;
  float3 normal;
  float3 tangent;
  float3 binormal;
  float3 coatNormal;
  float3 emission;
  float3 sheen;
  float alpha;
  float metallic;
  float roughness;
  float coat;
  float coatAlpha;
  float occlusion;
  float thickness;
  float2 anisotropic;  // Alpha along tangent and binormal.
};

float square(float x) {
  return x * x;
}

float pow5(float x) {
  return square(square(x)) * x;
}

// A pattern of noise that fits a temporal filter.
float gradientNoise(float2 pixel) {
  pixel += 5.588238f * (FrameIndex & 63);
  return frac(52.9829189f * frac(dot(pixel, float2(0.06711056f, 0.00583715f))));
}

float2 vogel(uint i, uint count, float angle) {
  float r = sqrt((i + 0.5f) / count);
  float sine, cosine;
  sincos(i * 2.4f + angle, sine, cosine);
  return float2(cosine, sine) * r;
}

// Parallax occlusion: steps through the height map, then a secant; returns the depth as well.
float3 parallax(float2 uv, float3 view, float2 dx, float2 dy) {
  Texture2D<float4> heights = Textures[NonUniformResourceIndex(HeightTexture)];
  float steps = lerp(32, 8, saturate(view.z));
  float layer = 1 / steps;
  float2 delta = view.xy / max(view.z, 0.1f) * ParallaxDepth * layer;
  float depth = 0;
  float2 at = uv;
  float found = 1 - heights.SampleGrad(Aniso, at, dx, dy).r;
  float before = found;
  [loop]
  while (depth < found && depth < 1) {
    at -= delta;
    before = found;
    found = 1 - heights.SampleGrad(Aniso, at, dx, dy).r;
    depth += layer;
  }
  float after = found - depth;
  float previous = before - depth + layer;
  float weight = saturate(after / min(after - previous, -1e-4f));
  return float3(lerp(at, at + delta, weight), depth - layer * weight);
}

// Shadow of the relief on itself.
float parallaxShadow(float2 uv, float depth, float3 light, float2 dx, float2 dy) {
  if (light.z <= 0.05f || depth <= 0.01f) {
    return 1;
  }
  Texture2D<float4> heights = Textures[NonUniformResourceIndex(HeightTexture)];
  float2 delta = light.xy / light.z * ParallaxDepth * depth / 8;
  float shadow = 0;
  for (uint i = 1; i < 8; ++i) {
    float there = 1 - heights.SampleGrad(Aniso, uv + delta * i, dx, dy).r;
    shadow = max(shadow, (depth * (1 - i / 8.0f) - there) * (1 - i / 8.0f));
  }
  return saturate(1 - shadow * 8);
}

float3 unpackNormal(float4 packed, float strength) {
  float2 xy = (packed.xy * 2 - 1) * strength;
  return float3(xy, sqrt(saturate(1 - dot(xy, xy))));
}

// Reoriented normals: `detail` in the frame of `base`.
float3 blendNormals(float3 base, float3 detail) {
  float3 t = base + float3(0, 0, 1);
  float3 u = detail * float3(-1, -1, 1);
  return normalize(t * dot(t, u) / max(t.z, 1e-3f) - u);
}

void applyDecals(inout Surface s, float3 world, float3 dx, float3 dy, float3 geometric) {
  [loop]
  for (uint i = 0; i < DecalCount; ++i) {
    Decal decal = Decals[i];
    float3 local = mul(decal.toBox, float4(world, 1)).xyz;
    if (any(abs(local) > 0.5f)) {
      continue;
    }
    float3 localNormal = normalize(mul((float3x3)decal.toBox, geometric));
    float facing = saturate(localNormal.z * 4 - 1);
    if (facing <= 0) {
      continue;
    }
    float2 uv = local.xy + 0.5f;
    float2 gx = mul((float3x3)decal.toBox, dx).xy;
    float2 gy = mul((float3x3)decal.toBox, dy).xy;
    float4 color = Textures[NonUniformResourceIndex(decal.baseTexture)].SampleGrad(Aniso, uv, gx, gy) * decal.color;
    float weight = color.a * facing * saturate((0.5f - abs(local.z)) * 8) * decal.blend;
    s.albedo = lerp(s.albedo, color.rgb, weight);
    s.metallic *= 1 - weight;
    if (decal.normalStrength > 0) {
      float4 packed = Textures[NonUniformResourceIndex(decal.normalTexture)].SampleGrad(Aniso, uv, gx, gy);
      float3 n = unpackNormal(packed, decal.normalStrength);
      float3 across = normalize(decal.toBox[0].xyz);
      float3 along = normalize(decal.toBox[1].xyz);
      s.normal = normalize(s.normal + (across * n.x + along * n.y) * weight);
      s.roughness = lerp(s.roughness, packed.z, weight);
    }
  }
}

// Rain darkens porous surfaces, fills what is level with water, and makes rings there.
void applyWetness(inout Surface s, float3 world, float3 geometric) {
  float porosity = saturate((s.roughness - 0.3f) * 2) * (1 - s.metallic);
  float puddle = saturate(Wetness * 2 - 1) * saturate(geometric.y * 8 - 7);
  s.albedo *= lerp(1, 0.35f, porosity * Wetness);
  s.roughness = lerp(s.roughness, 0.25f, Wetness * 0.5f);
  if (puddle > 0) {
    float2 ring = 0;
    for (uint i = 0; i < 3; ++i) {
      float2 at = world.xz * (0.7f + 0.4f * i) + i * 0.37f;
      float h = RainRipples.Sample(Linear, at + frac(Time * (1 + i * 0.3f)) * 0.05f);
      ring += float2(ddx(h), ddy(h)) * (1 - i * 0.25f);
    }
    s.normal = normalize(lerp(s.normal, geometric + float3(ring.x, 0, ring.y), puddle));
    s.roughness = lerp(s.roughness, 0.05f, puddle);
    s.f0 = lerp(s.f0, 0.02f, puddle * (1 - s.metallic));
  }
}

#include "forward_lights.hlsli"

// Light from all around by spherical harmonics of second order.
float3 irradiance(float3 n) {
  float3 sum = Harmonics[0].rgb + Harmonics[1].rgb * n.y + Harmonics[2].rgb * n.z + Harmonics[3].rgb * n.x;
  sum += Harmonics[4].rgb * (n.x * n.y) + Harmonics[5].rgb * (n.y * n.z) + Harmonics[6].rgb * (3 * n.z * n.z - 1);
  sum += Harmonics[7].rgb * (n.x * n.z) + Harmonics[8].rgb * (n.x * n.x - n.y * n.y);
  return max(sum, 0);
}

// Blends the boxes around the point; the sky, layer 0, is what is left.
float3 reflection(float3 world, float3 direction, float roughness) {
  float3 sum = 0;
  float left = 1;
  float level = roughness * (1.7f - 0.7f * roughness) * 6;
  [loop]
  for (uint i = 0; i < ProbeCount && left > 0.01f; ++i) {
    Probe probe = Probes[i];
    float3 local = mul(probe.toBox, float4(world, 1)).xyz;
    float3 inside = 1 - abs(local);
    float nearest = min(inside.x, min(inside.y, inside.z));
    if (nearest <= 0) {
      continue;
    }
    float3 localDirection = mul((float3x3)probe.toBox, direction);
    float3 furthest = (sign(localDirection) - local) / localDirection;
    float t = min(furthest.x, min(furthest.y, furthest.z));
    float3 bent = lerp(world + direction * t - probe.center, direction, square(roughness));
    float weight = saturate(nearest / probe.fade) * left;
    sum += ProbeTextures.SampleLevel(Linear, float4(bent, probe.layer), level).rgb * weight;
    left -= weight;
  }
  return sum + ProbeTextures.SampleLevel(Linear, float4(direction, 0), level).rgb * left;
}

float3 ambient(Surface s, float3 world, float3 v, float2 screen) {
  float nov = max(dot(s.normal, v), 1e-4f);
  float occlusion = min(s.occlusion, Occlusion.SampleLevel(Linear, screen, 0));
  float2 table = BrdfTable.SampleLevel(Linear, float2(nov, s.roughness), 0).xy;
  float3 single = s.f0 * table.x + table.y;
  // What a single bounce loses on rough metal.
  float lost = 1 - table.x - table.y;
  float3 average = s.f0 + (1 - s.f0) / 21;
  float3 multiple = single * average * lost / (1 - average * lost);
  float3 bent = s.normal;
  if (Features & FEATURE_ANISOTROPY) {
    float3 axis = Anisotropy >= 0 ? s.binormal : s.tangent;
    float3 flat = cross(cross(axis, v), axis);
    bent = normalize(lerp(s.normal, flat, abs(Anisotropy) * saturate(5 * s.roughness)));
  }
  float3 r = reflect(-v, bent);
  float horizon = saturate(1 + dot(r, s.normal));
  float specularOcclusion = saturate(pow(nov + occlusion, exp2(-16 * s.roughness - 1)) - 1 + occlusion);
  float3 specular = reflection(world, r, s.roughness) * single * specularOcclusion * horizon * horizon;
  float3 diffuse = irradiance(s.normal) * (s.albedo * (1 - s.metallic) * (1 - single - multiple) + multiple);
  // Light that bounces within a crevice takes its colour.
  float3 bounced = max(occlusion, ((occlusion * (2.04f * s.albedo - 0.33f) - 4.8f * s.albedo + 0.64f) * occlusion +
                                   2.75f * s.albedo + 0.69f) * occlusion);
  float3 sum = diffuse * bounced + specular;
  if (Features & FEATURE_SUBSURFACE) {
    sum += irradiance(-s.normal) * SubsurfaceColor * s.thickness * occlusion;
  }
  if (Features & FEATURE_SHEEN) {
    sum += irradiance(r) * s.sheen * BrdfTable.SampleLevel(Linear, float2(nov, SheenRoughness), 0).z * occlusion;
  }
  if (Features & FEATURE_COAT) {
    float f = (0.04f + 0.96f * pow5(1 - saturate(dot(s.coatNormal, v)))) * s.coat;
    float3 mirrored = reflection(world, reflect(-v, s.coatNormal), sqrt(s.coatAlpha));
    sum = sum * square(1 - f) + mirrored * f * specularOcclusion;
  }
  return sum;
}

float3 applyFog(float3 color, float3 world, float2 screen, float depth) {
  float3 ray = world - Eye;
  float distance = length(ray);
  float slope = ray.y / FogHeight;
  float path = abs(slope) > 1e-3f ? (1 - exp(-slope)) / slope : 1;
  float amount = 1 - exp(-FogDensity * exp(-Eye.y / FogHeight) * distance * path);
  float cosine = dot(ray / distance, SunDirection);
  float g = FogAnisotropy;
  float phase = (1 - g * g) / pow(max(1 + g * g - 2 * g * cosine, 1e-3f), 1.5f);
  color = lerp(color, FogColor + SunColor * phase * 0.05f, amount);
  float slice = log2(max(depth * ClusterScale.x, 1)) / 8;
  if (slice < 1) {
    float4 near = FogVolume.SampleLevel(Linear, float3(screen, slice), 0);
    color = color * near.a + near.rgb;
  }
  return color;
}

Surface makeSurface(Input input, float3 v, float2 uv, float2 dx, float2 dy, float3 geometric) {
  Surface s;
  float4 base = Textures[NonUniformResourceIndex(BaseTexture)].SampleGrad(Aniso, uv, dx, dy) * BaseColor * input.color;
  float4 mask = Textures[NonUniformResourceIndex(MaskTexture)].SampleGrad(Aniso, uv, dx, dy);
  float4 packed = Textures[NonUniformResourceIndex(NormalTexture)].SampleGrad(Aniso, uv, dx, dy);
  float3 n = unpackNormal(packed, 1);
  s.alpha = base.a;
  s.albedo = base.rgb;
  s.occlusion = mask.r;
  s.roughness = clamp(mask.g * Roughness, 0.04f, 1);
  s.metallic = mask.b * Metallic;
  s.thickness = 1 - mask.a;
  if (Features & FEATURE_DETAIL) {
    float4 detail = Textures[NonUniformResourceIndex(DetailTexture)].SampleGrad(
        Aniso, uv * DetailScale, dx * DetailScale, dy * DetailScale);
    n = blendNormals(n, unpackNormal(detail, 0.7f));
    s.albedo *= 0.5f + detail.b;
    s.roughness = saturate(s.roughness * (0.5f + detail.a));
  }
  float3 t = normalize(input.tangent.xyz - geometric * dot(input.tangent.xyz, geometric));
  float3 b = cross(geometric, t) * input.tangent.w;
  s.normal = normalize(t * n.x + b * n.y + geometric * n.z);
  s.f0 = lerp(0.16f * Reflectance * Reflectance, s.albedo, s.metallic);
  s.emission = Emission * Textures[NonUniformResourceIndex(EmissionTexture)].SampleGrad(Aniso, uv, dx, dy).rgb;
  s.sheen = SheenColor;
  s.coat = Coat;
  s.coatAlpha = square(max(CoatRoughness, 0.04f));
  s.coatNormal = geometric;
  if (Features & FEATURE_COAT) {
    float3 c = unpackNormal(Textures[NonUniformResourceIndex(CoatNormalTexture)].SampleGrad(Aniso, uv, dx, dy), 1);
    s.coatNormal = normalize(t * c.x + b * c.y + geometric * c.z);
    // Under a coat of index 1.5 less is reflected than in air.
    float3 inCoat = (1 - 5 * sqrt(s.f0)) / (5 - sqrt(s.f0));
    s.f0 = lerp(s.f0, inCoat * inCoat, s.coat);
  }
  applyDecals(s, input.world, ddx(input.world), ddy(input.world), geometric);
  if ((Features & FEATURE_WETNESS) && Wetness > 0) {
    applyWetness(s, input.world, geometric);
  }
  // Normals that vary within the pixel make it rougher.
  float3 nx = ddx(s.normal), ny = ddy(s.normal);
  float variance = min(0.25f * (dot(nx, nx) + dot(ny, ny)), 0.18f);
  s.roughness = sqrt(sqrt(saturate(square(square(s.roughness)) + variance)));
  float sine, cosine;
  sincos(AnisotropyAngle, sine, cosine);
  s.tangent = normalize(t * cosine + b * sine);
  s.binormal = normalize(cross(s.normal, s.tangent));
  s.tangent = cross(s.binormal, s.normal);
  float alpha = square(s.roughness);
  s.anisotropic = max(alpha * float2(1 + Anisotropy, 1 - Anisotropy), 0.002f);
  return s;
}

Output main(Input input) {
  float3 v = normalize(Eye - input.world);
  float3 geometric = normalize(input.isFront ? input.normal : -input.normal);
  float2 screen = input.position.xy / Size;
  float depth = input.position.w;
  float noise = gradientNoise(input.position.xy);
  float2 dx = ddx(input.uv) * exp2(MipBias), dy = ddy(input.uv) * exp2(MipBias);

  float2 uv = input.uv;
  float relief = 1;
  if (Features & FEATURE_PARALLAX) {
    float3 t = normalize(input.tangent.xyz), b = cross(geometric, t) * input.tangent.w;
    float3 moved = parallax(uv, float3(dot(v, t), dot(v, b), dot(v, geometric)), dx, dy);
    uv = moved.xy;
    float3 sun = float3(dot(SunDirection, t), dot(SunDirection, b), dot(SunDirection, geometric));
    relief = parallaxShadow(uv, moved.z, sun, dx, dy);
  }
  Surface s = makeSurface(input, v, uv, dx, dy, geometric);
  if (Features & FEATURE_ALPHA_TEST) {
    // The edge is one pixel wide at any distance; noise makes it soft for the temporal filter.
    float sharp = (s.alpha - AlphaCutoff) / max(fwidth(s.alpha), 1e-4f) + 0.5f;
    if (sharp < noise) {
      discard;
    }
    s.alpha = 1;
  }

  float3 color = s.emission;
  float facing = dot(geometric, SunDirection);
  if (facing > 0 || (Features & FEATURE_SUBSURFACE)) {
    float shadow = sunShadow(input.world, geometric, depth, noise) * relief;
    if (shadow > 0) {
      float3 r = reflect(-v, s.normal);
      float3 toDisk = r - SunDirection * dot(r, SunDirection);
      float3 l = normalize(SunDirection + toDisk * min(SunAngle / max(length(toDisk), 1e-4f), 1));
      color += shade(s, v, SunDirection, l, 0) * SunColor * shadow;
    }
  }

  uint slice = uint(max(log2(depth) * ClusterScale.x + ClusterScale.y, 0));
  uint3 cluster = min(uint3(screen * ClusterCount.xy, slice), ClusterCount - 1);
  uint2 list = Clusters[(cluster.z * ClusterCount.y + cluster.y) * ClusterCount.x + cluster.x];
  [loop]
  for (uint i = 0; i < list.y; ++i) {
    color += localLight(Lights[LightIndices[list.x + i]], s, input.world, v, noise * 2 * PI);
  }
  color += ambient(s, input.world, v, screen);
  if (Features & FEATURE_TRANSMISSION) {
    float3 bent = mul((float3x3)View, refract(-v, s.normal, 1 / 1.45f));
    float2 at = saturate(screen + bent.xy * s.thickness * 0.1f / max(depth, 0.1f));
    float3 through = SceneColor.SampleLevel(Linear, at, s.roughness * 6).rgb;
    color = lerp(color, through * s.albedo * (1 - s.f0), Transmission * (1 - s.metallic));
  }
  color = applyFog(color, input.world, screen, depth);

  Output output;
  output.color = float4(min(color * Exposure, 65000), s.alpha);
  float2 last = input.lastClip.xy / input.lastClip.w * float2(0.5f, -0.5f) + 0.5f;
  output.motion = screen - last - Jitter;
  float3 n = mul((float3x3)View, s.normal);
  output.normalRoughness = float4(n * 0.5f + 0.5f, s.roughness);
  return output;
}
