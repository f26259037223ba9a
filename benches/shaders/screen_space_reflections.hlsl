// trellis: cs_6_0 main
// Screen-space reflections: importance-sampled rays, traced through a hierarchy of depths, refined and
// weighted, with probes of the environment where a ray leaves the screen.

#define PI 3.14159265f

cbuffer Frame : register(b0) {
  float4x4 View;
  float4x4 Projection;
  float4x4 InverseProjection;
  float4x4 InverseView;
  float4x4 Reprojection;
  float2 Size;
  float2 InverseSize;
  uint FrameIndex;
  uint MipCount;
  uint MaxSteps;
  uint ProbeCount;
  float Thickness;
  float RoughnessLimit;
  float EdgeFade;
  float NearPlane;
};

struct Probe {
  float3 center;
  float radius;
  float3 boxMin;
  float intensity;
  float3 boxMax;
  uint layer;
};

Texture2D<float> DepthPyramid : register(t0);
Texture2D<float4> NormalRoughness : register(t1);
Texture2D<float4> Specular : register(t2);
Texture2D<float4> History : register(t3);
Texture2D<float2> Motion : register(t4);
Texture2D<float2> Noise : register(t5);
TextureCubeArray<float4> ProbeTextures : register(t6);
TextureCube<float4> Sky : register(t7);
StructuredBuffer<Probe> Probes : register(t8);
SamplerState Linear : register(s0);
RWTexture2D<float4> Result : register(u0);
RWTexture2D<float2> HitDistance : register(u1);

struct Hit {
  float3 at;         // Texture coordinates and device depth.
  float confidence;  // 0 if nothing was hit.
  uint steps;
};

float3 viewFromScreen(float3 screen) {
  float4 clip = float4(screen.x * 2 - 1, 1 - screen.y * 2, screen.z, 1);
  float4 view = mul(InverseProjection, clip);
  return view.xyz / view.w;
}

float3 screenFromView(float3 view) {
  float4 clip = mul(Projection, float4(view, 1));
  float3 device = clip.xyz / clip.w;
  return float3(device.x * 0.5f + 0.5f, 0.5f - device.y * 0.5f, device.z);
}

// Normals are stored on an octahedron.
float3 unpackNormal(float2 packed) {
  float2 f = packed * 2 - 1;
  float3 n = float3(f, 1 - abs(f.x) - abs(f.y));
  float t = saturate(-n.z);
  n.x += n.x >= 0 ? -t : t;
  n.y += n.y >= 0 ? -t : t;
  return normalize(n);
}

// A frame around `n` without a branch on its direction.
void makeFrame(float3 n, out float3 t, out float3 b) {
  float s = n.z >= 0 ? 1.0f : -1.0f;
  float a = -1 / (s + n.z);
  float c = n.x * n.y * a;
  t = float3(1 + s * n.x * n.x * a, s * c, -s * n.x);
  b = float3(c, s + n.y * n.y * a, -n.y);
}

// A half vector out of the visible normals of GGX.
float3 sampleVisibleNormal(float3 v, float alpha, float2 random) {
  float3 stretched = normalize(float3(alpha * v.x, alpha * v.y, v.z));
  float phi = 2 * PI * random.x;
  float z = (1 - random.y) * (1 + stretched.z) - stretched.z;
  float sine = sqrt(saturate(1 - z * z));
  float3 h = float3(sine * cos(phi), sine * sin(phi), z) + stretched;
  return normalize(float3(alpha * h.x, alpha * h.y, max(0, h.z)));
}

// Moves to the border of the cell that the ray is in, along the axis that is met first.
float3 crossCell(float3 origin, float3 direction, float2 cell, float2 cells, float2 step, float2 offset) {
  float2 border = (cell + step) / cells + offset;
  float2 t = (border - origin.xy) / direction.xy;
  return origin + direction * min(t.x, t.y);
}

// Walks up and down the pyramid of nearest depths until the ray is below the finest level.
Hit traceHierarchy(float3 origin, float3 direction) {
  Hit hit;
  hit.at = origin;
  hit.confidence = 0;
  hit.steps = 0;

  float2 step = float2(direction.x >= 0 ? 1 : 0, direction.y >= 0 ? 1 : 0);
  float2 offset = (step * 2 - 1) * InverseSize * 0.25f;
  float3 at = crossCell(origin, direction, floor(origin.xy * Size), Size, step, offset);
  int level = 2;
  bool isBackwards = direction.z < 0;

  [loop]
  while (level >= 0 && hit.steps < MaxSteps) {
    ++hit.steps;
    if (any(at.xy < 0) || any(at.xy > 1) || at.z <= 0 || at.z >= 1) {
      return hit;
    }
    float2 cells = max(floor(Size / (1u << level)), 1);
    float2 cell = floor(at.xy * cells);
    float nearest = DepthPyramid.Load(int3(cell, level));
    float3 next = at;
    if (!isBackwards && nearest > at.z) {
      // In front of everything in this cell: advance to its depth at most.
      next = origin + direction * ((nearest - origin.z) / direction.z);
    }
    bool isOutside = any(floor(next.xy * cells) != cell);
    bool passesBehind = isBackwards && nearest > at.z;
    if (isOutside || passesBehind) {
      next = crossCell(origin, direction, cell, cells, step, offset);
      level = min(int(MipCount) - 1, level + 2);
    } else if (isBackwards && level > 0) {
      next = at;
    }
    at = next;
    --level;
  }
  if (level >= 0) {
    return hit;
  }
  hit.at = at;
  hit.confidence = 1;
  return hit;
}

// Halves the interval around the hit, which removes steps on slanted surfaces.
float3 refine(float3 origin, float3 at, float3 direction) {
  float3 low = at - direction * (2 * length(InverseSize) / max(length(direction.xy), 1e-4f));
  float3 high = at;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float3 middle = (low + high) * 0.5f;
    float depth = DepthPyramid.SampleLevel(Linear, middle.xy, 0);
    bool isBelow = depth < middle.z;
    high = isBelow ? middle : high;
    low = isBelow ? low : middle;
  }
  return dot(high - origin, direction) > 0 ? high : at;
}

// How far the hit can be trusted: off the border, not behind the surface, and not on its back.
float validate(Hit hit, float3 viewRay, float3 origin) {
  if (hit.confidence == 0) {
    return 0;
  }
  float4 surface = NormalRoughness.SampleLevel(Linear, hit.at.xy, 0);
  float3 normal = mul((float3x3)View, unpackNormal(surface.xy));
  if (dot(normal, viewRay) > 0.1f) {
    return 0;
  }
  float depth = DepthPyramid.SampleLevel(Linear, hit.at.xy, 0);
  if (depth >= 1) {
    return 0;
  }
  float3 there = viewFromScreen(float3(hit.at.xy, depth));
  float3 ray = viewFromScreen(hit.at);
  float behind = length(there - ray);
  float confidence = 1 - smoothstep(0, Thickness * max(1, there.z * 0.05f), behind);
  float2 border = min(hit.at.xy, 1 - hit.at.xy) / EdgeFade;
  confidence *= saturate(border.x) * saturate(border.y);
  confidence *= saturate(length(there - origin) * 20);
  return confidence * saturate(2 - 2 * float(hit.steps) / MaxSteps);
}

// Light of the last frame at the hit; a neighbourhood of samples keeps it from flickering.
float3 fetchLight(float2 at, float roughness, float distance) {
  float2 before = at - Motion.SampleLevel(Linear, at, 0);
  if (any(before < 0) || any(before > 1)) {
    return 0;
  }
  float width = roughness * distance;
  float level = clamp(log2(max(width * Size.y, 1)), 0, 5);
  float3 sum = 0;
  float weights = 0;
  [unroll]
  for (int y = -1; y <= 1; y += 2) {
    [unroll]
    for (int x = -1; x <= 1; x += 2) {
      float2 near = before + float2(x, y) * InverseSize * exp2(level) * 0.5f;
      float3 light = History.SampleLevel(Linear, near, level).rgb;
      float weight = 1 / (1 + dot(light, float3(0.299f, 0.587f, 0.114f)));
      sum += light * weight;
      weights += weight;
    }
  }
  return sum / max(weights, 1e-4f);
}

// Probes with boxes that fit the room, most important first; what is left is the sky.
float3 fetchProbes(float3 position, float3 direction, float roughness) {
  float3 sum = 0;
  float left = 1;
  float level = roughness * 7;
  [loop]
  for (uint i = 0; i < ProbeCount; ++i) {
    Probe probe = Probes[i];
    float3 inside = min(position - probe.boxMin, probe.boxMax - position);
    float nearest = min(inside.x, min(inside.y, inside.z));
    if (nearest <= 0) {
      continue;
    }
    float3 first = (probe.boxMax - position) / direction;
    float3 second = (probe.boxMin - position) / direction;
    float3 furthest = max(first, second);
    float t = min(furthest.x, min(furthest.y, furthest.z));
    float3 corrected = position + direction * t - probe.center;
    float weight = saturate(nearest / probe.radius) * left;
    sum += ProbeTextures.SampleLevel(Linear, float4(corrected, probe.layer), level).rgb * probe.intensity * weight;
    left -= weight;
    if (left < 0.01f) {
      break;
    }
  }
  if (left >= 0.01f) {
    sum += Sky.SampleLevel(Linear, direction, level).rgb * left;
  }
  return sum;
}

float3 schlick(float3 f0, float cosine) {
  float c = saturate(1 - cosine);
  float c2 = c * c;
  return f0 + (1 - f0) * (c2 * c2 * c);
}

float smithShadowing(float cosine, float alpha) {
  float a2 = alpha * alpha;
  return 2 * cosine / (cosine + sqrt(a2 + (1 - a2) * cosine * cosine));
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (any(id.xy >= uint2(Size))) {
    return;
  }
  float2 at = (id.xy + 0.5f) * InverseSize;
  float depth = DepthPyramid.Load(int3(id.xy, 0));
  if (depth >= 1) {
    Result[id.xy] = 0;
    HitDistance[id.xy] = float2(0, 0);
    return;
  }
  float4 surface = NormalRoughness.Load(int3(id.xy, 0));
  float roughness = surface.z;
  float3 worldNormal = unpackNormal(surface.xy);
  float3 position = viewFromScreen(float3(at, depth));
  float3 world = mul(InverseView, float4(position, 1)).xyz;
  float3 normal = normalize(mul((float3x3)View, worldNormal));
  float3 toEye = -normalize(position);
  float4 specular = Specular.Load(int3(id.xy, 0));

  float3 mirrored = reflect(-toEye, normal);
  float3 mirroredWorld = mul((float3x3)InverseView, mirrored);
  if (roughness > RoughnessLimit) {
    float3 light = fetchProbes(world, mirroredWorld, roughness);
    Result[id.xy] = float4(light * schlick(specular.rgb, dot(normal, toEye)), 0);
    HitDistance[id.xy] = float2(0, 1);
    return;
  }

  float alpha = max(roughness * roughness, 1e-3f);
  float3 t, b;
  makeFrame(normal, t, b);
  float3 local = float3(dot(toEye, t), dot(toEye, b), dot(toEye, normal));
  uint2 tile = (id.xy + uint2(FrameIndex * 47, FrameIndex * 17)) & 127;
  float2 random = Noise.Load(int3(tile, 0));
  random.y *= 0.7f;  // Without the tail, which is most of the noise.

  float3 ray = mirrored;
  float shadowing = 1;
  if (roughness > 0.02f) {
    float3 h = sampleVisibleNormal(local, alpha, random);
    float3 reflected = reflect(-local, h);
    ray = normalize(t * reflected.x + b * reflected.y + normal * reflected.z);
    if (dot(ray, normal) <= 0) {
      ray = mirrored;
    }
    shadowing = smithShadowing(saturate(dot(ray, normal)), alpha);
  }

  float3 start = position + normal * (0.01f + 0.002f * position.z);
  float3 origin = screenFromView(start);
  float far = ray.z < 0 ? min((NearPlane - start.z) / ray.z, 100) : 100;
  float3 direction = screenFromView(start + ray * max(far * 0.99f, 0.01f)) - origin;
  direction.x = abs(direction.x) < 1e-6f ? 1e-6f : direction.x;
  direction.y = abs(direction.y) < 1e-6f ? 1e-6f : direction.y;

  Hit hit = traceHierarchy(origin, direction);
  if (hit.confidence > 0) {
    hit.at = refine(origin, hit.at, direction);
  }
  float confidence = validate(hit, ray, position);

  float3 light = 0;
  float distance = 0;
  if (confidence > 0) {
    distance = length(viewFromScreen(hit.at) - position);
    light = fetchLight(hit.at.xy, roughness, distance / max(position.z, 0.1f));
  }
  if (confidence < 1) {
    float3 fallback = fetchProbes(world, mul((float3x3)InverseView, ray), roughness);
    light = lerp(fallback, light, confidence);
  }
  float3 fresnel = schlick(specular.rgb, saturate(dot(normalize(ray + toEye), toEye)));
  light *= fresnel * shadowing;
  light = min(light, 64);
  Result[id.xy] = float4(light, confidence);
  HitDistance[id.xy] = float2(distance, 1 - confidence);
}
