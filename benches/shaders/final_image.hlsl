// trellis: ps_6_0 main
// The last pass over the screen: lens distortion, chromatic shifts, sharpening, bloom, lens dirt, local
// exposure, grading, a film curve for displays of both ranges, vignette, grain and dither.

cbuffer Settings : register(b0) {
  float2 Size;
  float2 InverseSize;
  float Distortion;
  float ChromaticShift;
  float BloomStrength;
  float DirtStrength;
  float Exposure;
  float3 Lift;
  float Saturation;
  float3 Gamma;
  float Contrast;
  float3 Gain;
  float Temperature;
  float Vignette;
  float VignetteRoundness;
  float Grain;
  float Time;
  float PaperWhite;
  float PeakWhite;
  uint Output;  // 0: sRGB, 1: scRGB, 2: BT.2020 with PQ.
  uint Flags;   // 1: sharpen, 2: chromatic shift, 4: local exposure, 8: table.
};

Texture2D<float4> Scene : register(t0);
Texture2D<float4> Bloom : register(t1);
Texture2D<float4> Dirt : register(t2);
Texture3D<float4> GradingTable : register(t3);
Texture2D<float> AverageLuminance : register(t4);
Texture3D<float> LocalLuminance : register(t5);
Texture2D<float> BlueNoise : register(t6);
SamplerState Linear : register(s0);

float luminance(float3 c) {
  return dot(c, float3(0.2126f, 0.7152f, 0.0722f));
}

float2 distort(float2 at) {
  float2 d = at * 2 - 1;
  float r = dot(d, d);
  float scale = 1 + Distortion * r + Distortion * Distortion * r * r;
  return d * scale / (1 + Distortion) * 0.5f + 0.5f;
}

float3 fetchScene(float2 at) {
  if (!(Flags & 2)) {
    return Scene.SampleLevel(Linear, at, 0).rgb;
  }
  // Each colour has its own magnification; samples between them make a spectrum.
  float2 d = (at - 0.5f) * ChromaticShift;
  float3 sum = 0, weights = 0;
  [unroll]
  for (int i = 0; i < 5; ++i) {
    float t = i / 4.0f;
    float3 w = saturate(1 - abs(t - float3(0, 0.5f, 1)) * 2);
    sum += Scene.SampleLevel(Linear, at + d * (t - 0.5f), 0).rgb * w;
    weights += w;
  }
  return sum / weights;
}

float3 sharpen(float3 color, float2 at) {
  float3 sum = 0;
  float low = luminance(color), high = low;
  [unroll]
  for (int i = 0; i < 4; ++i) {
    float2 offset = float2(i & 1 ? 1 : -1, i & 2 ? 1 : -1) * InverseSize * 0.75f;
    float3 near = Scene.SampleLevel(Linear, at + offset, 0).rgb;
    sum += near;
    low = min(low, luminance(near));
    high = max(high, luminance(near));
  }
  float amount = 0.5f * saturate(low / max(high, 1e-3f));
  return max(color + (color - sum * 0.25f) * amount, 0);
}

float exposureAt(float2 at, float3 color) {
  float average = max(AverageLuminance.Load(int3(0, 0, 0)), 1e-4f);
  float exposure = Exposure * 0.18f / average;
  if (Flags & 4) {
    float slice = saturate((log2(max(luminance(color), 1e-5f)) + 12) / 24);
    float local = LocalLuminance.SampleLevel(Linear, float3(at, slice), 0);
    float difference = local - log2(average);
    exposure *= exp2(-difference * (difference > 0 ? 0.4f : 0.25f));
  }
  return exposure;
}

float3 balanceWhite(float3 c) {
  // In the space of cones, warm and cold differ by a scale.
  float3x3 toCones = float3x3(0.3905f, 0.5499f, 0.0089f, 0.0708f, 0.9632f, 0.0014f, 0.0231f, 0.128f, 0.9362f);
  float3x3 fromCones = float3x3(2.8585f, -1.6288f, -0.0249f, -0.2102f, 1.1582f, 0.0003f, -0.0418f, -0.1182f, 1.0687f);
  float3 cones = mul(toCones, c) * float3(1 + 0.1f * Temperature, 1, 1 - 0.25f * Temperature);
  return mul(fromCones, cones);
}

float3 grade(float3 c) {
  c = max(balanceWhite(c), 0);
  float3 logarithm = log2(c + 0.0005f);
  logarithm = (logarithm - log2(0.18f)) * Contrast + log2(0.18f);
  c = max(exp2(logarithm) - 0.0005f, 0);
  c = pow(max(c * Gain + Lift * (1 - saturate(c)), 0), 1 / Gamma);
  float l = luminance(c);
  c = max(lerp(l, c, Saturation), 0);
  if (Flags & 8) {
    float3 at = saturate(log2(c * 16 + 0.0625f) / 14 + 4.0f / 14);
    c = exp2((GradingTable.SampleLevel(Linear, at * (31.0f / 32) + 0.5f / 32, 0).rgb - 4.0f / 14) * 14) / 16;
  }
  return c;
}

// Straight in the middle, with a toe and a shoulder that reaches `white`.
float3 filmCurve(float3 c, float white) {
  const float start = 0.22f, length = 0.4f, black = 1.33f;
  float last = (white - start) * length;
  float from = start + last;
  float slope = white / max(white - from, 1e-3f);
  float3 toe = start * pow(saturate(c / start), black);
  float3 shoulder = white - (white - from) * exp(-slope * (c - from) / white);
  float3 inToe = 1 - smoothstep(0, start, c);
  float3 inShoulder = step(from, c);
  return toe * inToe + c * (1 - inToe - inShoulder) + shoulder * inShoulder;
}

float3 encodePq(float3 nits) {
  float3 y = pow(saturate(nits / 10000), 0.1593f);
  return pow((0.8359f + 18.8516f * y) / (1 + 18.6875f * y), 78.8438f);
}

float3 encodeSrgb(float3 c) {
  float3 low = c * 12.92f, high = 1.055f * pow(max(c, 1e-5f), 1 / 2.4f) - 0.055f;
  return lerp(high, low, step(c, 0.0031308f));
}

float4 main(float4 position : SV_Position, float2 uv : UV) : SV_Target {
  float2 at = Distortion != 0 ? distort(uv) : uv;
  if (any(at < 0) || any(at > 1)) {
    return float4(0, 0, 0, 1);
  }
  float3 color = fetchScene(at);
  if (Flags & 1) {
    color = sharpen(color, at);
  }
  float3 bloom = Bloom.SampleLevel(Linear, at, 0).rgb;
  float3 dirt = Dirt.SampleLevel(Linear, uv, 0).rgb * DirtStrength;
  color = lerp(color, bloom, BloomStrength * (1 + dirt)) * exposureAt(at, color);
  float2 corner = abs(uv - 0.5f) * float2(lerp(1, Size.x / Size.y, VignetteRoundness), 1);
  float cosine = 1 / (1 + dot(corner, corner) * Vignette);
  color *= cosine * cosine;
  color = grade(color);

  float random = BlueNoise.Load(int3((uint2(position.xy) + uint(Time * 60) * uint2(37, 17)) & 63, 0)) - 0.5f;
  float l = luminance(color);
  color *= 1 + random * Grain * (1 - sqrt(saturate(l)));
  switch (Output) {
    case 1:
      color = filmCurve(color, PeakWhite / PaperWhite) * PaperWhite / 80;
      return float4(color, 1);
    case 2: {
      float3x3 toWide = float3x3(0.6274f, 0.3293f, 0.0433f, 0.0691f, 0.9195f, 0.0114f, 0.0164f, 0.088f, 0.8956f);
      color = mul(toWide, filmCurve(color, PeakWhite / PaperWhite)) * PaperWhite;
      return float4(encodePq(color) + random / 1023, 1);
    }
    default:
      return float4(encodeSrgb(saturate(filmCurve(color, 1))) + random / 255, luminance(color));
  }
}
