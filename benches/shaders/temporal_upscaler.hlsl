// trellis: cs_6_2 main -enable-16bit-types
// Temporal upscaler: an image of fewer pixels and its past become one of more. Colours are halves; motion is
// dilated, the past is fetched with a sharp kernel, tested for occlusion, changes of light and locks of thin
// features, clipped to the neighbourhood, accumulated by the phase of the jitter, and sharpened.

cbuffer Frame : register(b0) {
  float2 InputSize;
  float2 OutputSize;
  float2 InverseInputSize;
  float2 InverseOutputSize;
  float2 Jitter;
  float2 LastJitter;
  float4x4 Reprojection;
  float Exposure;
  float LastExposure;
  float NearPlane;
  float FrameTime;
  float Sharpness;
  float MaxAccumulation;
  uint FrameIndex;
  uint Flags;  // 1: cut, 2: motion has the jitter, 4: reversed depth.
};

Texture2D<float4> Color : register(t0);
Texture2D<float> Depth : register(t1);
Texture2D<float2> Motion : register(t2);
Texture2D<float> Reactive : register(t3);
Texture2D<float4> History : register(t4);        // Colour, and the number of samples.
Texture2D<float2> HistoryLocks : register(t5);   // Remaining life, and luminance.
Texture2D<float> HistoryDepth : register(t6);
Texture2D<float4> HistoryLuma : register(t7);    // Of four frames.
Texture2D<float4> OpaqueColor : register(t8);
SamplerState Linear : register(s0);
RWTexture2D<float4> Result : register(u0);
RWTexture2D<float4> NextHistory : register(u1);
RWTexture2D<float2> NextLocks : register(u2);
RWTexture2D<float4> NextLuma : register(u3);

// Colours of a tile with a border of three pixels on each side, in two words each.
groupshared uint2 Tile[14][14];
groupshared float TileDepth[14][14];

struct Neighbourhood {
  half3 mean;
  half3 deviation;
  half3 low;
  half3 high;
  half4 filtered;  // Colour, and the weight of its samples.
  half contrast;
};

struct Past {
  half3 color;
  half samples;
  half2 lock;
  half4 luma;
  bool isValid;
};

// Bright samples weigh less, so that they do not flicker.
half3 tonemap(half3 c) {
  return c / (half(1) + max(c.r, max(c.g, c.b)));
}

half3 invertTonemap(half3 c) {
  return c / max(half(1) - max(c.r, max(c.g, c.b)), half(1.0f / 1024));
}

half3 toYcocg(half3 c) {
  half a = (c.r + c.b) * half(0.5f);
  return half3(a * half(0.5f) + c.g * half(0.5f), (c.r - c.b) * half(0.5f), c.g * half(0.5f) - a * half(0.5f));
}

half3 fromYcocg(half3 c) {
  half t = c.x - c.z;
  return half3(t + c.y, c.x + c.z, t - c.y);
}

half lumaOf(half3 c) {
  return dot(c, half3(0.2126f, 0.7152f, 0.0722f));
}

uint2 packTile(half3 c) {
  uint3 bits = uint3(asuint16(c));
  return uint2(bits.x | bits.y << 16, bits.z);
}

half3 unpackTile(uint2 at) {
  uint2 packed = Tile[at.y][at.x];
  return half3(asfloat16(uint16_t(packed.x & 0xffff)), asfloat16(uint16_t(packed.x >> 16)),
                asfloat16(uint16_t(packed.y & 0xffff)));
}

bool isNearer(float a, float b) {
  return (Flags & 4) ? a > b : a < b;
}

float linearDepth(float depth) {
  return NearPlane / max((Flags & 4) ? depth : 1 - depth, 1e-6f);
}

// A window of Lanczos with two lobes, as a polynomial.
half kernel(half squared) {
  half s = min(squared, half(4));
  half a = half(0.4f) * s - half(1);
  half b = half(0.25f) * s - half(1);
  return (half(1.5625f) * a * a - half(0.5625f)) * b * b;
}

void loadTile(uint index, int2 corner) {
  for (uint i = index; i < 196; i += 64) {
    uint2 at = uint2(i % 14, i / 14);
    int2 pixel = clamp(corner + int2(at), 0, int2(InputSize) - 1);
    float3 color = Color.Load(int3(pixel, 0)).rgb * Exposure;
    color = min(max(color, 0), 60000);
    Tile[at.y][at.x] = packTile(toYcocg(tonemap(half3(color))));
    TileDepth[at.y][at.x] = Depth.Load(int3(pixel, 0));
  }
}

// Statistics of nine pixels, and the upscaled colour of a kernel over 25 of them.
Neighbourhood gather(int2 center, float2 offset, half sharp) {
  Neighbourhood n;
  half3 sum = 0, squares = 0;
  half4 filtered = 0;
  n.low = half3(60000, 60000, 60000);
  n.high = -n.low;
  [unroll]
  for (int y = -2; y <= 2; ++y) {
    [unroll]
    for (int x = -2; x <= 2; ++x) {
      half3 c = unpackTile(uint2(center + int2(x, y)));
      half2 d = (half2(x, y) - half2(offset)) * sharp;
      half weight = kernel(dot(d, d));
      filtered += half4(c * weight, weight);
      if (abs(x) <= 1 && abs(y) <= 1) {
        sum += c;
        squares += c * c;
        n.low = min(n.low, c);
        n.high = max(n.high, c);
      }
    }
  }
  n.mean = sum / half(9);
  n.deviation = sqrt(max(squares / half(9) - n.mean * n.mean, half(0)));
  filtered.xyz = filtered.xyz / max(filtered.w, half(0.01f));
  filtered.xyz = clamp(filtered.xyz, n.low, n.high);
  n.filtered = filtered;
  n.contrast = (n.high.x - n.low.x) / max(n.high.x, half(0.01f));
  return n;
}

// Motion of the nearest of nine pixels, so that edges move with what is in front.
float2 dilatedMotion(int2 center, int2 pixel, out float nearest) {
  int2 best = 0;
  nearest = TileDepth[center.y][center.x];
  [unroll]
  for (int y = -1; y <= 1; ++y) {
    [unroll]
    for (int x = -1; x <= 1; ++x) {
      float depth = TileDepth[center.y + y][center.x + x];
      if (isNearer(depth, nearest)) {
        nearest = depth;
        best = int2(x, y);
      }
    }
  }
  float2 motion = Motion.Load(int3(clamp(pixel + best, 0, int2(InputSize) - 1), 0));
  if (Flags & 2) {
    motion -= LastJitter - Jitter;
  }
  return motion;
}

// A pixel of a thin feature is a ridge: no square of four neighbours has its luminance.
bool isRidge(int2 center, half luma) {
  uint similar = 0;
  half low = 60000, high = 0;
  uint bit = 1;
  [unroll]
  for (int y = -1; y <= 1; ++y) {
    [unroll]
    for (int x = -1; x <= 1; ++x) {
      if (x == 0 && y == 0) {
        continue;
      }
      half other = unpackTile(uint2(center + int2(x, y))).x;
      half ratio = max(other, luma) / max(min(other, luma), half(0.001f));
      if (ratio < half(1.05f)) {
        similar |= bit;
      } else {
        low = min(low, other);
        high = max(high, other);
      }
      bit <<= 1;
    }
  }
  if (luma <= high && luma >= low) {
    return false;
  }
  static const uint Squares[4] = {0x0b, 0x16, 0x68, 0xd0};
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    if ((similar & Squares[i]) == Squares[i]) {
      return false;
    }
  }
  return true;
}

// Sixteen texels of the past, clipped to the inner four against ringing.
half4 fetchHistory(float2 at) {
  float2 position = at * OutputSize - 0.5f;
  float2 base = floor(position);
  float2 f = position - base;
  half4 rows[4], low, high;
  [unroll]
  for (int y = 0; y < 4; ++y) {
    half4 texels[4];
    [unroll]
    for (int x = 0; x < 4; ++x) {
      int2 texel = clamp(int2(base) + int2(x - 1, y - 1), 0, int2(OutputSize) - 1);
      texels[x] = half4(History.Load(int3(texel, 0)));
    }
    if (y == 1) {
      low = min(texels[1], texels[2]);
      high = max(texels[1], texels[2]);
    } else if (y == 2) {
      low = min(low, min(texels[1], texels[2]));
      high = max(high, max(texels[1], texels[2]));
    }
    half4 sum = 0;
    half weights = 0;
    [unroll]
    for (int k = 0; k < 4; ++k) {
      half d = half(k - 1 - f.x);
      half w = kernel(d * d);
      sum += texels[k] * w;
      weights += w;
    }
    rows[y] = sum / weights;
  }
  half4 sum = 0;
  half weights = 0;
  [unroll]
  for (int r = 0; r < 4; ++r) {
    half d = half(r - 1 - f.y);
    half w = kernel(d * d);
    sum += rows[r] * w;
    weights += w;
  }
  return clamp(sum / weights, low, high);
}

// How much of what is here now was hidden before: depths of the past are compared, with their weights.
half occlusion(float2 before, float depth) {
  float2 position = before * InputSize - 0.5f;
  float2 base = floor(position), f = position - base;
  float here = linearDepth(depth);
  float hidden = 0, weights = 0;
  [unroll]
  for (int i = 0; i < 4; ++i) {
    int2 offset = int2(i & 1, i >> 1);
    int2 texel = int2(base) + offset;
    if (any(texel < 0) || any(texel >= int2(InputSize))) {
      continue;
    }
    float2 w = lerp(1 - f, f, float2(offset));
    float weight = w.x * w.y;
    if (weight < 0.01f) {
      continue;
    }
    float there = linearDepth(HistoryDepth.Load(int3(texel, 0)));
    float difference = here - there;
    float separation = 0.01f * max(here, there) + 0.02f;
    hidden += difference > 0 ? saturate(difference / separation - 1) * weight : 0;
    weights += weight;
  }
  return half(weights > 0 ? saturate(hidden / weights) : 1);
}

// Shading of the same place differs over four frames: flicker, or a change of light.
half luminanceChange(half luma, half4 past) {
  half now = abs(luma - past.x);
  half most = max(luma, past.x);
  if (now <= half(0.01f) * most) {
    return 0;
  }
  half least = now;
  half wasSigned = luma - past.x;
  [unroll]
  for (uint i = 1; i < 4; ++i) {
    half d = luma - past[i];
    least = abs(d) < abs(least) ? abs(d) : least;
    if (sign(d) != sign(wasSigned)) {
      return 0;  // It went up and down: that is flicker of the sampling.
    }
  }
  return saturate(least / max(most, half(0.01f)) * half(3));
}

Past loadPast(float2 before) {
  Past past;
  past.isValid = all(before >= 0) && all(before <= 1) && !(Flags & 1);
  past.color = 0;
  past.samples = 0;
  past.lock = 0;
  past.luma = 0;
  if (past.isValid) {
    half4 h = fetchHistory(before);
    past.color = toYcocg(tonemap(h.rgb * half(Exposure / LastExposure)));
    past.samples = max(h.a, half(0));
    past.lock = half2(HistoryLocks.SampleLevel(Linear, before, 0));
    past.luma = half4(HistoryLuma.SampleLevel(Linear, before, 0)) * half(Exposure / LastExposure);
  }
  return past;
}

// Towards the mean, until the colour is within the box.
half3 clipToBox(half3 c, half3 mean, half3 extent) {
  half3 d = c - mean;
  half3 t = abs(d) / max(extent, half(0.0005f));
  half most = max(t.x, max(t.y, t.z));
  return most > half(1) ? mean + d / most : c;
}

// Contrast-adaptive: less where the neighbourhood is at its limits already.
half3 sharpen(half3 c, int2 center, Neighbourhood n) {
  half3 up = unpackTile(uint2(center + int2(0, -1)));
  half3 down = unpackTile(uint2(center + int2(0, 1)));
  half3 left = unpackTile(uint2(center + int2(-1, 0)));
  half3 right = unpackTile(uint2(center + int2(1, 0)));
  half room = min(n.low.x, half(1) - n.high.x) / max(n.high.x, half(0.001f));
  half amount = sqrt(saturate(room)) * half(Sharpness);
  half blurred = (up.x + down.x + left.x + right.x) * half(0.25f);
  c.x = clamp(c.x + (c.x - blurred) * amount, n.low.x * half(0.9f), n.high.x * half(1.1f));
  return c;
}

[numthreads(8, 8, 1)]
void main(uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID, uint index : SV_GroupIndex) {
  uint2 id = group.xy * 8 + local.xy;
  float2 scale = InputSize * InverseOutputSize;
  int2 corner = int2(floor((group.xy * 8 + 0.5f) * scale - Jitter)) - 3;
  loadTile(index, corner);
  GroupMemoryBarrierWithGroupSync();
  if (any(id >= uint2(OutputSize))) {
    return;
  }

  float2 at = (id + 0.5f) * InverseOutputSize;
  float2 position = at * InputSize - Jitter;
  int2 pixel = clamp(int2(floor(position)), 0, int2(InputSize) - 1);
  int2 center = clamp(pixel - corner, 2, 11);
  float2 offset = position - (pixel + 0.5f);

  float nearest;
  float2 motion = dilatedMotion(center, pixel, nearest);
  float2 before = at - motion;
  Past past = loadPast(before);

  half hidden = past.isValid ? occlusion(before, nearest) : half(1);
  float speed = length(motion * OutputSize);
  half reactive = half(Reactive.SampleLevel(Linear, at, 0));
  if (reactive < half(0.9f)) {
    // What was drawn after opaque surfaces has no motion of its own.
    float3 opaque = OpaqueColor.SampleLevel(Linear, at, 0).rgb;
    float3 all = Color.SampleLevel(Linear, at, 0).rgb;
    float difference = dot(abs(all - opaque), 1) / max(dot(max(all, opaque), 1), 1e-3f);
    reactive = max(reactive, half(saturate(difference * 2 - 0.2f)));
  }

  // A fresh place is filtered softly, since few samples are there yet.
  half sharp = lerp(half(0.7f), half(1), saturate(past.samples * half(0.25f)) * (half(1) - hidden));
  Neighbourhood n = gather(center, offset, sharp);

  half luma = n.mean.x;
  half change = past.isValid ? luminanceChange(luma, past.luma) : half(0);
  half2 lock = past.lock;
  bool isRidgeHere = isRidge(center, unpackTile(uint2(center)).x);
  if (hidden > half(0.5f) || change > half(0.5f)) {
    lock = 0;
  } else if (isRidgeHere && lock.x < half(0.1f)) {
    lock = half2(1, luma);
  } else if (lock.x > half(0)) {
    half ratio = min(lock.y, luma) / max(max(lock.y, luma), half(0.001f));
    lock.x *= saturate(ratio * half(2) - half(1));
    lock.x -= half(FrameTime * 2 * (isRidgeHere ? 0.2f : 1));
    lock.y = lerp(lock.y, luma, half(0.1f));
  }
  lock.x = saturate(lock.x * (half(1) - reactive));

  half3 color;
  half samples;
  if (!past.isValid || hidden >= half(0.99f)) {
    color = n.filtered.xyz;
    samples = half(1);
  } else {
    // The faster it moves, the smaller the box; locks keep what is thinner than a pixel.
    half size = half(lerp(2.5f, 1.0f, saturate(speed / 20)));
    size = lerp(size, half(0.75f), max(reactive, change));
    half3 extent = n.deviation * size + (n.high - n.low) * half(0.05f);
    half3 clipped = clipToBox(past.color, n.mean, extent);
    half moved = saturate(length(clipped - past.color) / max(n.contrast, half(0.1f)) * half(2));
    half3 kept = lerp(clipped, past.color, lock.x * (half(1) - change));
    samples = past.samples * (half(1) - hidden) * (half(1) - half(0.7f) * moved * (half(1) - lock.x));
    samples = min(samples, half(lerp(MaxAccumulation, MaxAccumulation * 0.4f, saturate(speed * 0.1f))));
    half fresh = max(n.filtered.w, half(0.02f)) * half(saturate(1.2f - dot(offset, offset)));
    half weight = fresh / (samples + fresh);
    weight = max(weight, max(reactive * half(0.5f), half(0.02f)));
    color = lerp(kept, n.filtered.xyz, saturate(weight));
    samples += fresh;
  }

  NextHistory[id] = float4(invertTonemap(fromYcocg(color)), samples);
  NextLocks[id] = lock;
  NextLuma[id] = float4(luma, past.luma.xyz);
  half3 shown = Sharpness > 0 ? sharpen(color, center, n) : color;
  float3 output = max(float3(invertTonemap(saturate(fromYcocg(shown)))), 0) / Exposure;
  Result[id] = float4(output, 1);
}
