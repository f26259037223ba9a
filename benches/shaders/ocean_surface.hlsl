// trellis: ds_6_0 main
// Domain shader of an ocean: trains of waves, cascades of a simulated spectrum, shores from a height map,
// wakes of ships, and foam; the normal comes with the displacement.

#define PI 3.14159265f
#define GRAVITY 9.81f

cbuffer Frame : register(b0) {
  float4x4 ViewProjection;
  float3 Eye;
  float Time;
  float2 WindDirection;
  float WindSpeed;
  float SeaLevel;
  float4 CascadeLengths;
  float4 CascadeWeights;
  float4 TerrainArea;  // Corner, and one over the extent.
  float TerrainHeight;
  float Choppiness;
  uint WaveCount;
  uint WakeCount;
  float2 CurrentScale;
  float FoamDecay;
  float HorizonStart;
};

struct Wave {
  float2 direction;
  float amplitude;
  float length;
  float steepness;
  float phase;
};

struct Wake {
  float2 position;
  float2 heading;
  float speed;
  float width;
  float age;
  float strength;
};

Texture2DArray<float4> Displacements : register(t0);
Texture2DArray<float4> Slopes : register(t1);
Texture2D<float> Terrain : register(t2);
Texture2D<float2> Currents : register(t3);
StructuredBuffer<Wave> Waves : register(t4);
StructuredBuffer<Wake> Wakes : register(t5);
SamplerState Wrap : register(s0);
SamplerState Clamp : register(s1);

struct ControlPoint {
  float3 position : POSITION;
  float coarseness : COARSENESS;
};

struct PatchConstants {
  float edges[4] : SV_TessFactor;
  float inside[2] : SV_InsideTessFactor;
  float distance : DISTANCE;
};

struct Output {
  float4 position : SV_Position;
  float3 world : WORLD;
  float3 normal : NORMAL;
  float4 foamAndDepth : FOAM;
  float2 flow : FLOW;
  float clip : SV_ClipDistance0;
};

// What all sources add to.
struct Surface {
  float3 offset;
  float3 tangent;   // Derivative by x.
  float3 binormal;  // Derivative by z.
  float foam;
};

float hash(float2 p) {
  uint2 q = asuint(int2(floor(p)));
  uint h = q.x * 0x8da6b343u + q.y * 0xd8163841u;
  h ^= h >> 13;
  h *= 0x85ebca6bu;
  h ^= h >> 16;
  return float(h & 0xffffffu) / 16777216.0f;
}

// Value noise with its gradient.
float3 noise(float2 p) {
  float2 f = frac(p);
  float2 u = f * f * f * (f * (f * 6 - 15) + 10);
  float2 du = 30 * f * f * (f * (f - 2) + 1);
  float a = hash(p);
  float b = hash(p + float2(1, 0));
  float c = hash(p + float2(0, 1));
  float d = hash(p + float2(1, 1));
  float k = a - b - c + d;
  float value = a + (b - a) * u.x + (c - a) * u.y + k * u.x * u.y;
  float2 gradient = du * (float2(b - a, c - a) + k * u.yx);
  return float3(value * 2 - 1, gradient * 2);
}

// Octaves with turned axes, weaker where the slope is large.
float3 turbulence(float2 p, uint octaves) {
  float3 sum = 0;
  float amplitude = 0.5f;
  float2 slope = 0;
  float2x2 axes = float2x2(1, 0, 0, 1);
  for (uint i = 0; i < octaves; ++i) {
    float3 n = noise(p);
    slope += mul(n.yz, axes);
    float weight = amplitude / (1 + dot(slope, slope));
    sum += weight * float3(n.x, mul(n.yz, axes));
    axes = mul(axes, float2x2(1.6f, 1.2f, -1.2f, 1.6f));
    p = mul(float2x2(1.6f, 1.2f, -1.2f, 1.6f), p);
    amplitude *= 0.45f;
  }
  return sum;
}

float terrainAt(float2 p) {
  float2 at = (p - TerrainArea.xy) * TerrainArea.zw;
  if (any(at < 0) || any(at > 1)) {
    return -200;
  }
  return Terrain.SampleLevel(Clamp, at, 0) * TerrainHeight - SeaLevel;
}

// A train of waves in water of `depth`: long waves turn slow and steep near the shore, then break.
void addWave(inout Surface s, float2 p, Wave wave, float depth) {
  float k = 2 * PI / wave.length;
  float shallow = tanh(clamp(k * depth, 0.05f, 10));
  float omega = sqrt(GRAVITY * k * shallow);
  float amplitude = wave.amplitude * min(rsqrt(shallow), 1.8f);
  float breaking = 0.4f * depth;
  if (amplitude > breaking) {
    s.foam += saturate((amplitude - breaking) / max(amplitude, 0.01f)) * 0.5f;
    amplitude = breaking;
  }
  if (amplitude <= 0.001f) {
    return;
  }
  float q = min(wave.steepness, 0.9f / (k * amplitude));
  float angle = k * dot(wave.direction, p) - omega * Time + wave.phase;
  float sine, cosine;
  sincos(angle, sine, cosine);
  s.offset += float3(q * amplitude * wave.direction.x * cosine, amplitude * sine,
                     q * amplitude * wave.direction.y * cosine);
  float slope = k * amplitude;
  float2 d = wave.direction;
  s.tangent += float3(-q * d.x * d.x * slope * sine, d.x * slope * cosine, -q * d.x * d.y * slope * sine);
  s.binormal += float3(-q * d.x * d.y * slope * sine, d.y * slope * cosine, -q * d.y * d.y * slope * sine);
}

// Waves behind a ship lie within Kelvin's angle of its path.
void addWake(inout Surface s, float2 p, Wake wake) {
  float2 away = p - wake.position;
  float along = -dot(away, wake.heading);
  float2 side = float2(-wake.heading.y, wake.heading.x);
  float across = dot(away, side);
  if (along < -wake.width || along > wake.speed * 20) {
    return;
  }
  float limit = max(along, 0) * 0.3536f + wake.width;
  float inside = 1 - abs(across) / limit;
  if (inside <= 0) {
    return;
  }
  float fade = exp(-along * 0.02f - wake.age * 0.3f) * wake.strength;
  float k = GRAVITY / max(wake.speed * wake.speed, 1);
  float crest = k * (along + 0.5f * across * across / max(along, 1));
  float envelope = smoothstep(0, 0.3f, inside) * fade;
  float height = envelope * cos(crest);
  s.offset.y += height;
  float slope = -k * envelope * sin(crest);
  s.tangent.y -= slope * wake.heading.x;
  s.binormal.y -= slope * wake.heading.y;
  float wash = saturate(1 - abs(across) / wake.width) * exp(-max(along, 0) * 0.01f);
  s.foam += (wash + smoothstep(0.1f, 0, inside) * 0.5f) * fade;
}

// Simulated waves; the coarse cascades remain at a distance, where fine ones would alias.
void addSpectrum(inout Surface s, float2 p, float distance, float depth) {
  float shore = saturate(depth * 0.2f);
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float reach = CascadeLengths[i] * 30;
    float fade = saturate(2 - distance / reach) * CascadeWeights[i];
    if (fade > 0) {
      float3 at = float3(p / CascadeLengths[i], i);
      float level = max(0, log2(distance / CascadeLengths[i]));
      float4 moved = Displacements.SampleLevel(Wrap, at, level);
      float4 slopes = Slopes.SampleLevel(Wrap, at, level);
      fade *= i == 0 ? shore : lerp(0.5f, 1, shore);
      s.offset += moved.xyz * float3(Choppiness, 1, Choppiness) * fade;
      s.tangent += float3(slopes.z * Choppiness, slopes.x, 0) * fade;
      s.binormal += float3(0, slopes.y, slopes.w * Choppiness) * fade;
      // Where the surface folds over itself, air is mixed into the water.
      float jacobian = (1 + slopes.z) * (1 + slopes.w) - moved.w * moved.w;
      s.foam += saturate(0.6f - jacobian) * fade * FoamDecay;
    }
  }
}

// Ripples by wind, advected by the current in two phases which replace each other.
void addRipples(inout Surface s, float2 p, float2 flow, float distance) {
  if (distance > 80) {
    return;
  }
  uint octaves = distance < 20 ? 4 : distance < 40 ? 3 : 2;
  float strength = 0.05f * saturate(WindSpeed / 12) * (1 - distance / 80);
  float phase = frac(Time * 0.25f);
  float gust = 0.5f + 0.5f * noise(p * 0.01f - WindDirection * Time * 0.2f).x;
  float3 first = turbulence(p * 2 - flow * phase * 4, octaves);
  float3 second = turbulence(p * 2 + 17.3f - flow * frac(phase + 0.5f) * 4, octaves);
  float3 both = lerp(first, second, abs(phase * 2 - 1)) * strength * gust;
  s.offset.y += both.x;
  s.tangent.y += both.y * 2;
  s.binormal.y += both.z * 2;
}

[domain("quad")]
Output main(PatchConstants constants, float2 at : SV_DomainLocation, const OutputPatch<ControlPoint, 4> patch) {
  float3 top = lerp(patch[0].position, patch[1].position, at.x);
  float3 bottom = lerp(patch[3].position, patch[2].position, at.x);
  float3 base = lerp(top, bottom, at.y);
  float coarseness = lerp(lerp(patch[0].coarseness, patch[1].coarseness, at.x),
                          lerp(patch[3].coarseness, patch[2].coarseness, at.x), at.y);
  float2 p = base.xz;
  float distance = length(base - Eye);

  float ground = terrainAt(p);
  float depth = max(-ground, 0);
  float2 flow = Currents.SampleLevel(Clamp, (p - TerrainArea.xy) * TerrainArea.zw, 0) * CurrentScale;

  Surface s;
  s.offset = 0;
  s.tangent = float3(1, 0, 0);
  s.binormal = float3(0, 0, 1);
  s.foam = 0;

  if (depth > 0.01f && distance < HorizonStart) {
    // At the shore, waves turn towards it.
    float2 uphill = float2(terrainAt(p + float2(4, 0)) - ground, terrainAt(p + float2(0, 4)) - ground);
    float shore = saturate(1 - depth * 0.05f) * saturate(length(uphill) * 4);
    for (uint i = 0; i < WaveCount; ++i) {
      Wave wave = Waves[i];
      if (wave.length < coarseness * 2) {
        break;  // Sorted by length: what follows is shorter than two edges of the patch.
      }
      wave.direction = normalize(lerp(wave.direction, normalize(uphill + 1e-5f), shore * 0.7f));
      addWave(s, p, wave, depth);
    }
    addSpectrum(s, p, distance, depth);
    addRipples(s, p, flow, distance);
    for (uint j = 0; j < WakeCount; ++j) {
      addWake(s, p, Wakes[j]);
    }
  }

  // The horizon is flat, and lower with the curvature of the earth.
  float fade = saturate(1 - (distance - HorizonStart * 0.7f) / (HorizonStart * 0.3f));
  s.offset *= fade;
  s.offset.y -= distance * distance / (2 * 6371000.0f);
  float3 normal = normalize(lerp(float3(0, 1, 0), cross(s.binormal, s.tangent), fade));
  float3 world = base + s.offset;
  float under = terrainAt(world.xz);
  if (under > s.offset.y) {
    // Water runs up the beach, thin and white.
    s.foam += saturate(1 - (under - s.offset.y));
    world.y = max(world.y, base.y + under + 0.02f);
  }

  Output output;
  output.position = mul(ViewProjection, float4(world, 1));
  output.world = world;
  output.normal = normal.y < 0 ? -normal : normal;
  output.foamAndDepth = float4(saturate(s.foam), depth, s.offset.y, constants.distance);
  output.flow = flow;
  output.clip = 1 - max(under, 0) * 0.2f;
  return output;
}
