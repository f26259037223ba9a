// trellis: cs_6_0 main
// Volumetric clouds: a march through a spherical layer, with shapes from weather and noise, light by a second
// march and several octaves of scattering, shadows on haze, and the history of the last frame.

#define PI 3.14159265f

cbuffer Frame : register(b0) {
  float4x4 InverseViewProjection;
  float4x4 LastViewProjection;
  float3 Eye;
  float Time;
  float3 SunDirection;
  float PlanetRadius;
  float3 SunColor;
  float LayerBottom;
  float3 AmbientTop;
  float LayerTop;
  float3 AmbientBottom;
  float Coverage;
  float3 Wind;
  float Density;
  float2 InverseSize;
  uint2 Size;
  float4 TypeWeights;
  float Anisotropy;
  float Powder;
  uint MaxSteps;
  uint FrameIndex;
  float3 LightningPosition;
  float LightningStrength;
  float3 HazeColor;
  float HazeDensity;
};

Texture3D<float4> ShapeNoise : register(t0);
Texture3D<float4> DetailNoise : register(t1);
Texture2D<float4> Weather : register(t2);
Texture2D<float4> CurlNoise : register(t3);
Texture2D<float> Depth : register(t4);
Texture2D<float4> History : register(t5);
Texture2D<float> HistoryDepth : register(t6);
Texture2D<float4> Cirrus : register(t7);
Texture2D<float> BlueNoise : register(t8);
SamplerState Wrap : register(s0);
SamplerState Clamp : register(s1);
RWTexture2D<float4> Result : register(u0);
RWTexture2D<float> ResultDepth : register(u1);

struct Sample {
  float density;
  float height;  // 0 at the bottom of the layer, 1 at the top.
  float wetness;
};

struct March {
  float3 light;
  float transmittance;
  float depth;
  float depthWeight;
};

float remap(float value, float low, float high, float newLow, float newHigh) {
  return newLow + saturate((value - low) / max(high - low, 1e-4f)) * (newHigh - newLow);
}

// Distances to a sphere around the planet's centre; y < 0: none.
float2 intersectSphere(float3 origin, float3 direction, float radius) {
  float b = dot(origin, direction);
  float c = dot(origin, origin) - radius * radius;
  float d = b * b - c;
  if (d < 0) {
    return float2(1, -1);
  }
  float root = sqrt(d);
  return float2(-b - root, -b + root);
}

// Profiles over the height: stratus, cumulus, cumulonimbus.
float profile(float height, float type) {
  float4 stratus = float4(0.01f, 0.06f, 0.12f, 0.2f);
  float4 cumulus = float4(0.02f, 0.2f, 0.42f, 0.7f);
  float4 storm = float4(0.0f, 0.08f, 0.75f, 1.0f);
  float3 weights = float3(saturate(1 - type * 2), 1 - abs(type - 0.5f) * 2, saturate(type - 0.5f) * 2);
  float4 gradient = stratus * weights.x + cumulus * weights.y + storm * weights.z;
  return smoothstep(gradient.x, gradient.y, height) * (1 - smoothstep(gradient.z, gradient.w, height));
}

float heightIn(float3 p) {
  return (length(p) - PlanetRadius - LayerBottom) / (LayerTop - LayerBottom);
}

// The cheap form skips details, and is enough to find where clouds begin.
Sample sampleCloud(float3 p, float level, bool cheap) {
  Sample s;
  s.height = heightIn(p);
  s.density = 0;
  s.wetness = 0;
  if (s.height <= 0 || s.height >= 1) {
    return s;
  }
  float3 moved = p + Wind * (Time + s.height * 60);
  float4 weather = Weather.SampleLevel(Wrap, moved.xz / 60000, 0);
  float coverage = saturate(weather.r * Coverage + max(0, Coverage - 1));
  if (coverage <= 0.01f) {
    return s;
  }
  float4 shape = ShapeNoise.SampleLevel(Wrap, moved / 8000, level);
  float worley = dot(shape.gba, float3(0.625f, 0.25f, 0.125f));
  float base = remap(shape.r, worley - 1, 1, 0, 1) * profile(s.height, weather.b);
  // Anvils: storms widen at the top.
  float anvil = pow(coverage, remap(s.height, 0.7f, 0.8f, 1, lerp(1, 0.5f, weather.b)));
  float density = remap(base, 1 - anvil, 1, 0, 1) * anvil;
  if (density > 0 && !cheap) {
    float2 curl = CurlNoise.SampleLevel(Wrap, moved.xz / 3000, 0).xy * 2 - 1;
    float3 bent = moved + float3(curl.x, 0, curl.y) * (1 - s.height) * 150;
    float3 detail = DetailNoise.SampleLevel(Wrap, bent / 900, level).rgb;
    float erosion = dot(detail, float3(0.625f, 0.25f, 0.125f));
    erosion = lerp(erosion, 1 - erosion, saturate(s.height * 10));
    density = remap(density, erosion * 0.25f, 1, 0, 1);
  }
  s.density = density * Density * lerp(0.3f, 1, saturate(s.height * 4));
  s.wetness = weather.g;
  return s;
}

float henyeyGreenstein(float cosine, float g) {
  float d = 1 + g * g - 2 * g * cosine;
  return (1 - g * g) / (4 * PI * d * sqrt(d));
}

float phase(float cosine, float g) {
  return lerp(henyeyGreenstein(cosine, g), henyeyGreenstein(cosine, -0.25f * g), 0.4f);
}

// Six samples in a widening cone towards the sun, the last one far away.
float opticalDepth(float3 p, float level) {
  static const float3 Directions[6] = {
    float3(0.38f, 0.55f, -0.21f), float3(-0.52f, 0.33f, 0.14f), float3(0.11f, -0.42f, 0.61f),
    float3(-0.27f, -0.18f, -0.66f), float3(0.63f, -0.09f, 0.31f), float3(0, 0, 0),
  };
  float step = (LayerTop - LayerBottom) / 40;
  float sum = 0;
  float3 at = p;
  [unroll]
  for (uint i = 0; i < 6; ++i) {
    float length = i == 5 ? step * 8 : step;
    at += SunDirection * length;
    float3 q = at + Directions[i] * step * (i + 1);
    Sample s = sampleCloud(q, level + i * 0.5f, i >= 3);
    sum += s.density * lerp(1, 1.6f, s.wetness) * length;
    if (sum > 12) {
      break;
    }
  }
  return sum;
}

// Octaves of multiple scattering: each is weaker, more even and absorbed less.
float3 scatter(float depth, float cosine, Sample s) {
  float3 sum = 0;
  float attenuation = 1, contribution = 1, g = Anisotropy;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float beer = exp(-depth * attenuation);
    sum += SunColor * contribution * phase(cosine, g) * beer;
    attenuation *= 0.45f;
    contribution *= 0.5f;
    g *= 0.6f;
  }
  float powder = 1 - exp(-s.density * 2 * lerp(10, 60, s.height));
  return sum * lerp(1, powder, Powder * saturate(0.5f - 0.5f * cosine));
}

float3 lightning(float3 p) {
  float3 away = LightningPosition - p;
  float squared = dot(away, away);
  float flicker = frac(sin(floor(Time * 20) * 91.7f) * 4137.3f);
  return float3(0.7f, 0.8f, 1) * LightningStrength * flicker * exp(-sqrt(squared) * 0.002f) / (1 + squared * 1e-6f);
}

// Large steps outside of clouds, small ones within; a few empty samples end a cloud.
March march(float3 origin, float3 direction, float start, float end, float jitter) {
  March m;
  m.light = 0;
  m.transmittance = 1;
  m.depth = 0;
  m.depthWeight = 0;
  float cosine = dot(direction, SunDirection);
  float fine = max((end - start) / MaxSteps, 20);
  float coarse = fine * 3;
  float t = start + jitter * coarse;
  uint empty = 0;
  bool isInside = false;
  [loop]
  for (uint i = 0; i < MaxSteps * 2 && t < end; ++i) {
    float3 p = origin + direction * t;
    float level = log2(1 + t / 20000);
    if (!isInside) {
      Sample s = sampleCloud(p, level, true);
      if (s.density <= 0) {
        t += coarse;
        continue;
      }
      isInside = true;
      empty = 0;
      t = max(start, t - coarse + fine);
      continue;
    }
    Sample s = sampleCloud(p, level, false);
    if (s.density <= 0) {
      if (++empty > 6) {
        isInside = false;
      }
      t += fine;
      continue;
    }
    empty = 0;
    float extinction = s.density * lerp(1, 1.6f, s.wetness);
    float3 ambient = lerp(AmbientBottom, AmbientTop, s.height) * (1 - 0.5f * s.density);
    float3 light = scatter(opticalDepth(p, level + 1), cosine, s) + ambient;
    if (LightningStrength > 0) {
      light += lightning(p);
    }
    // Integrated over the step, so that its length does not change the result.
    float passed = exp(-extinction * fine);
    float3 scattered = light * (1 - passed);
    m.light += scattered * m.transmittance;
    m.depth += t * m.transmittance * (1 - passed);
    m.depthWeight += m.transmittance * (1 - passed);
    m.transmittance *= passed;
    if (m.transmittance < 0.005f) {
      m.transmittance = 0;
      break;
    }
    t += fine;
  }
  return m;
}

// A sheet of ice far above the layer.
void addCirrus(inout March m, float3 origin, float3 direction) {
  float2 hit = intersectSphere(origin, direction, PlanetRadius + LayerTop * 2);
  if (hit.y < 0 || direction.y < 0.02f) {
    return;
  }
  float3 p = origin + direction * hit.y;
  float2 at = (p.xz + Wind.xz * Time * 0.4f) / 90000;
  float3 kinds = Cirrus.SampleLevel(Wrap, at, 0).rgb;
  float coverage = Weather.SampleLevel(Wrap, at * 0.5f, 2).a;
  float thickness = dot(kinds, TypeWeights.xyz) * coverage * TypeWeights.w * saturate(direction.y * 5);
  float passed = exp(-thickness);
  float3 light = SunColor * phase(dot(direction, SunDirection), 0.5f) + AmbientTop;
  m.light += light * (1 - passed) * m.transmittance;
  m.transmittance *= passed;
}

// The result of the last frame, clipped to what neighbours may have now.
float4 reproject(float4 current, float3 world, uint2 pixel, float depth) {
  float4 clip = mul(LastViewProjection, float4(world, 1));
  float2 before = float2(clip.x / clip.w * 0.5f + 0.5f, 0.5f - clip.y / clip.w * 0.5f);
  if (clip.w <= 0 || any(before < 0) || any(before > 1)) {
    return current;
  }
  float4 low = current, high = current;
  float4 history = History.SampleLevel(Clamp, before, 0);
  [unroll]
  for (int y = -1; y <= 1; ++y) {
    [unroll]
    for (int x = -1; x <= 1; ++x) {
      if (x != 0 || y != 0) {
        float4 near = History.SampleLevel(Clamp, before + float2(x, y) * InverseSize * 2, 0);
        low = min(low, lerp(current, near, 0.5f));
        high = max(high, lerp(current, near, 0.5f));
      }
    }
  }
  float oldDepth = HistoryDepth.SampleLevel(Clamp, before, 0);
  float trust = abs(oldDepth - depth) < 0.2f * depth + 500 ? 0.93f : 0.6f;
  bool isFresh = ((pixel.x & 3) + (pixel.y & 3) * 4) == (FrameIndex * 7 & 15);
  return lerp(current, clamp(history, low, high), isFresh ? trust * 0.8f : trust);
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (any(id.xy >= Size)) {
    return;
  }
  float2 at = (id.xy + 0.5f) * InverseSize;
  float4 far = mul(InverseViewProjection, float4(at.x * 2 - 1, 1 - at.y * 2, 1, 1));
  float3 direction = normalize(far.xyz / far.w - Eye);
  float3 origin = Eye + float3(0, PlanetRadius, 0);

  float scene = Depth.SampleLevel(Clamp, at, 0);
  float limit = 1e9f;
  if (scene < 1) {
    float4 p = mul(InverseViewProjection, float4(at.x * 2 - 1, 1 - at.y * 2, scene, 1));
    limit = length(p.xyz / p.w - Eye);
  }

  // The part of the ray inside the layer, from below, within or above.
  float2 inner = intersectSphere(origin, direction, PlanetRadius + LayerBottom);
  float2 outer = intersectSphere(origin, direction, PlanetRadius + LayerTop);
  float2 ground = intersectSphere(origin, direction, PlanetRadius);
  float altitude = length(origin) - PlanetRadius;
  float start = 0, end = -1;
  if (altitude < LayerBottom) {
    if (ground.y < 0 || ground.x < 0) {
      start = inner.y;
      end = outer.y;
    }
  } else if (altitude < LayerTop) {
    end = inner.y > 0 && inner.x > 0 ? inner.x : outer.y;
  } else if (outer.y > 0) {
    start = max(outer.x, 0);
    end = inner.y > 0 && inner.x > 0 ? inner.x : outer.y;
  }
  end = min(min(end, limit), start + 60000);

  March m;
  m.light = 0;
  m.transmittance = 1;
  m.depth = 0;
  m.depthWeight = 0;
  if (end > start) {
    float jitter = BlueNoise.Load(int3((id.xy + FrameIndex * uint2(5, 3)) & 63, 0));
    m = march(origin, direction, start, end, frac(jitter + FrameIndex * 0.618034f));
  }
  if (limit > 1e8f && m.transmittance > 0.01f) {
    addCirrus(m, origin, direction);
  }

  float depth = m.depthWeight > 0.001f ? m.depth / m.depthWeight : min(limit, 100000);
  float haze = exp(-depth * HazeDensity * exp(-max(altitude, 0) / 1200));
  float glow = pow(saturate(dot(direction, SunDirection)), 8);
  float3 hazeLight = lerp(HazeColor, SunColor * 0.2f, glow);
  float4 current = float4(lerp(hazeLight * (1 - m.transmittance), m.light, haze), m.transmittance);
  float4 result = reproject(current, Eye + direction * depth, id.xy, depth);
  Result[id.xy] = result;
  ResultDepth[id.xy] = depth;
}
