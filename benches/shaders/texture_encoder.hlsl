// trellis: cs_6_0 main
// trellis.opaque: cs_6_0 main -DOPAQUE
// Encoder of blocks of 4x4 texels in 16 bytes, as BC7 has them: modes 1, 3, 5, 6 and 7 with subsets, rotations,
// end points by principal axes, refinement by least squares, and packing of bits. One thread encodes one block.
// The second form is for textures without alpha: it has modes 1, 3 and 6 only.

#define FLAG_FAST 1u
#define FLAG_HAS_ALPHA 2u
#define FLAG_PERCEPTUAL 4u

cbuffer Task : register(b0) {
  uint2 Size;
  uint2 BlockCount;
  uint Flags;
  uint Refinements;
  uint PartitionsToTry;
  float AlphaWeight;
};

Texture2D<float4> Source : register(t0);
RWStructuredBuffer<uint4> Blocks : register(u0);
RWStructuredBuffer<uint> ModeCounts : register(u1);

// Texels of the second subset, one bit each, for the first partitions of the format.
static const uint Partitions[32] = {
  0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80,
  0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310,
  0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
};

// The texel of the second subset whose index has one bit less.
static const uint Anchors[32] = {
  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
  15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
};

static const uint Weights2[4] = {0, 21, 43, 64};
static const uint Weights3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
static const uint Weights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

struct Ends {
  uint4 low;   // Quantized, with the shared bit as the lowest one.
  uint4 high;
};

struct Candidate {
  float error;
  uint mode;
  uint partition;
  uint rotation;
  Ends ends[2];
  uint2 indices;       // 4 bits per texel.
  uint2 alphaIndices;  // For the mode with separate alpha.
};

struct Bits {
  uint4 words;
  uint at;
};

float4 channelWeights() {
  return Flags & FLAG_PERCEPTUAL ? float4(0.6f, 1.2f, 0.3f, AlphaWeight) : float4(1, 1, 1, AlphaWeight);
}

// Appends `count` bits; a value may cross the border of two words.
void put(inout Bits bits, uint value, uint count) {
  uint word = bits.at >> 5, shift = bits.at & 31;
  uint low = value << shift;
  uint high = shift + count > 32 ? value >> (32 - shift) : 0;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    bits.words[i] |= i == word ? low : i == word + 1 ? high : 0;
  }
  bits.at += count;
}

uint weightOf(uint index, uint bits) {
  return bits == 2 ? Weights2[index & 3] : bits == 3 ? Weights3[index & 7] : Weights4[index & 15];
}

uint getIndex(uint2 indices, uint i) {
  return ((i < 8 ? indices.x : indices.y) >> ((i & 7) * 4)) & 15;
}

void setIndex(inout uint2 indices, uint i, uint value) {
  if (i < 8) {
    indices.x |= value << (i * 4);
  } else {
    indices.y |= value << ((i - 8) * 4);
  }
}

// Widens a value of `bits` bits to 8 by repetition of its upper bits.
uint4 widen(uint4 value, uint bits) {
  uint4 shifted = value << (8 - bits);
  return shifted | (shifted >> bits);
}

uint4 quantize(float4 value, uint bits) {
  float most = (1u << bits) - 1;
  return uint4(clamp(value * (most / 255.0f) + 0.5f, 0, most));
}

// Rounds to `bits` bits with a given lowest bit.
uint4 quantizeWithBit(float4 value, uint bits, uint lowest) {
  float most = (1u << bits) - 1;
  float4 scaled = value * (most / 255.0f);
  uint4 upper = uint4(clamp((scaled - lowest) * 0.5f + 0.5f, 0, (1u << (bits - 1)) - 1));
  return (upper << 1) | lowest;
}

float errorOf(float4 a, float4 b) {
  float4 d = a - b;
  return dot(d * d, channelWeights());
}

// The line through the texels of `mask` by power iteration on their covariance.
void fitLine(float4 texels[16], uint mask, out float4 low, out float4 high) {
  float4 mean = 0;
  float4 smallest = 255, largest = 0;
  [unroll]
  for (uint i = 0; i < 16; ++i) {
    if (mask >> i & 1) {
      mean += texels[i];
      smallest = min(smallest, texels[i]);
      largest = max(largest, texels[i]);
    }
  }
  mean /= max(countbits(mask), 1);
  float4 rows[4] = {float4(0, 0, 0, 0), float4(0, 0, 0, 0), float4(0, 0, 0, 0), float4(0, 0, 0, 0)};
  for (uint j = 0; j < 16; ++j) {
    if (mask >> j & 1) {
      float4 d = texels[j] - mean;
      rows[0] += d * d.x;
      rows[1] += d * d.y;
      rows[2] += d * d.z;
      rows[3] += d * d.w;
    }
  }
  float4 axis = largest - smallest;
  for (uint k = 0; k < 6; ++k) {
    axis = float4(dot(rows[0], axis), dot(rows[1], axis), dot(rows[2], axis), dot(rows[3], axis));
    float longest = max(max(abs(axis.x), abs(axis.y)), max(abs(axis.z), abs(axis.w)));
    if (longest < 1e-5f) {
      break;
    }
    axis /= longest;
  }
  float squared = dot(axis, axis);
  if (squared < 1e-6f) {
    low = mean;
    high = mean;
    return;
  }
  axis *= rsqrt(squared);
  float from = 1e9f, to = -1e9f;
  for (uint n = 0; n < 16; ++n) {
    if (mask >> n & 1) {
      float t = dot(texels[n] - mean, axis);
      from = min(from, t);
      to = max(to, t);
    }
  }
  low = clamp(mean + axis * from, 0, 255);
  high = clamp(mean + axis * to, 0, 255);
}

float4 interpolate(uint4 low, uint4 high, uint weight) {
  return float4((low * (64 - weight) + high * weight + 32) >> 6);
}

// The nearest index of each texel of `mask`: projected first, then its neighbours are compared.
float chooseIndices(float4 texels[16], uint mask, uint4 low, uint4 high, uint bits, inout uint2 indices) {
  float4 span = float4(high) - float4(low);
  float squared = dot(span * span, 1);
  float scale = squared > 0 ? ((1u << bits) - 1) / squared : 0;
  uint most = (1u << bits) - 1;
  float sum = 0;
  for (uint i = 0; i < 16; ++i) {
    if (!(mask >> i & 1)) {
      continue;
    }
    uint guess = uint(clamp(dot(texels[i] - low, span) * scale + 0.5f, 0, most));
    uint best = guess;
    float least = errorOf(texels[i], interpolate(low, high, weightOf(guess, bits)));
    [unroll]
    for (int side = -1; side <= 1; side += 2) {
      uint other = uint(clamp(int(guess) + side, 0, int(most)));
      float error = errorOf(texels[i], interpolate(low, high, weightOf(other, bits)));
      if (error < least) {
        least = error;
        best = other;
      }
    }
    setIndex(indices, i, best);
    sum += least;
  }
  return sum;
}

// Ends that are best for given indices, by the normal equations.
bool solveEnds(float4 texels[16], uint mask, uint2 indices, uint bits, inout float4 low, inout float4 high) {
  float aa = 0, ab = 0, bb = 0;
  float4 ax = 0, bx = 0;
  for (uint i = 0; i < 16; ++i) {
    if (mask >> i & 1) {
      float b = weightOf(getIndex(indices, i), bits) / 64.0f, a = 1 - b;
      aa += a * a;
      ab += a * b;
      bb += b * b;
      ax += a * texels[i];
      bx += b * texels[i];
    }
  }
  float determinant = aa * bb - ab * ab;
  if (abs(determinant) < 1e-4f) {
    return false;
  }
  low = clamp((ax * bb - bx * ab) / determinant, 0, 255);
  high = clamp((bx * aa - ax * ab) / determinant, 0, 255);
  return true;
}

// Quantizes both ends in each allowed way and keeps the best: `sharedBits` is the number of lowest bits that
// the ends have besides their own, 0, 1 for both or 2 for one each.
float encodeSubset(float4 texels[16], uint mask, uint endBits, uint indexBits, uint sharedBits, bool opaque,
                   out Ends ends, inout uint2 indices) {
  float4 low, high;
  fitLine(texels, mask, low, high);
  float least = 1e30f;
  uint2 best = 0;
  ends.low = 0;
  ends.high = 0;
  uint total = endBits + (sharedBits > 0 ? 1 : 0);
  uint ways = sharedBits == 0 ? 1 : sharedBits == 1 ? 2 : 4;
  for (uint pass = 0; pass <= Refinements; ++pass) {
    bool isBetter = false;
    for (uint way = 0; way < ways; ++way) {
      uint lowBit = way & 1, highBit = sharedBits == 1 ? lowBit : way >> 1;
      uint4 qLow, qHigh;
      if (sharedBits == 0) {
        qLow = quantize(low, total);
        qHigh = quantize(high, total);
      } else {
        qLow = quantizeWithBit(low, total, lowBit);
        qHigh = quantizeWithBit(high, total, highBit);
      }
      uint4 wideLow = widen(qLow, total), wideHigh = widen(qHigh, total);
      if (opaque) {
        wideLow.a = 255;
        wideHigh.a = 255;
      }
      uint2 tried = 0;
      float error = chooseIndices(texels, mask, wideLow, wideHigh, indexBits, tried);
      if (error < least) {
        least = error;
        best = tried;
        ends.low = qLow;
        ends.high = qHigh;
        isBetter = true;
      }
    }
    if (!isBetter || least == 0 || !solveEnds(texels, mask, best, indexBits, low, high)) {
      break;
    }
  }
  indices |= best;
  return least;
}

// Both subsets of a partition must be close to a line; returns what is not.
float estimatePartition(float4 texels[16], uint mask) {
  float error = 0;
  for (uint subset = 0; subset < 2; ++subset) {
    uint members = subset == 0 ? ~mask & 0xffff : mask;
    float4 low, high;
    fitLine(texels, members, low, high);
    float4 span = high - low;
    float squared = max(dot(span, span), 1e-4f);
    for (uint i = 0; i < 16; ++i) {
      if (members >> i & 1) {
        float t = saturate(dot(texels[i] - low, span) / squared);
        error += errorOf(texels[i], low + span * t);
      }
    }
  }
  return error;
}

void keepBetter(inout Candidate best, Candidate other) {
  if (other.error < best.error) {
    best = other;
  }
}

Candidate tryTwoSubsets(float4 texels[16], uint mode, uint partition) {
  Candidate c;
  c.mode = mode;
  c.partition = partition;
  c.rotation = 0;
  c.indices = 0;
  c.alphaIndices = 0;
  uint mask = Partitions[partition];
  uint endBits = mode == 1 ? 6 : mode == 3 ? 7 : 5;
  uint indexBits = mode == 1 ? 3 : 2;
  uint sharedBits = mode == 1 ? 1 : 2;
  bool opaque = mode != 7;
  c.error = encodeSubset(texels, ~mask & 0xffff, endBits, indexBits, sharedBits, opaque, c.ends[0], c.indices);
  c.error += encodeSubset(texels, mask, endBits, indexBits, sharedBits, opaque, c.ends[1], c.indices);
  return c;
}

Candidate tryOneSubset(float4 texels[16]) {
  Candidate c;
  c.mode = 6;
  c.partition = 0;
  c.rotation = 0;
  c.indices = 0;
  c.alphaIndices = 0;
  c.error = encodeSubset(texels, 0xffff, 7, 4, 2, false, c.ends[0], c.indices);
  c.ends[1] = c.ends[0];
  return c;
}

float4 rotate(float4 texel, uint rotation) {
  switch (rotation) {
    case 1: return texel.agbr;
    case 2: return texel.rabg;
    case 3: return texel.rgab;
    default: return texel;
  }
}

#ifndef OPAQUE
// Colour and one more channel have ends and indices of their own.
Candidate trySeparateAlpha(float4 texels[16], uint rotation) {
  Candidate c;
  c.mode = 5;
  c.partition = 0;
  c.rotation = rotation;
  c.indices = 0;
  c.alphaIndices = 0;
  float4 colors[16], alphas[16];
  float smallest = 255, largest = 0;
  for (uint i = 0; i < 16; ++i) {
    float4 texel = rotate(texels[i], rotation);
    colors[i] = float4(texel.rgb, 255);
    alphas[i] = float4(0, 0, 0, texel.a);
    smallest = min(smallest, texel.a);
    largest = max(largest, texel.a);
  }
  c.error = encodeSubset(colors, 0xffff, 7, 2, 0, true, c.ends[0], c.indices);
  uint4 low = uint4(0, 0, 0, uint(smallest + 0.5f)), high = uint4(0, 0, 0, uint(largest + 0.5f));
  c.error += chooseIndices(alphas, 0xffff, low, high, 2, c.alphaIndices);
  c.ends[0].low.a = low.a;
  c.ends[0].high.a = high.a;
  c.ends[1] = c.ends[0];
  return c;
}

#endif

void swapEnds(inout Ends ends) {
  uint4 low = ends.low;
  ends.low = ends.high;
  ends.high = low;
}

// The highest bit of an anchor's index is not stored: the ends are swapped if it is set.
void fixAnchor(inout Candidate c, uint subset, uint mask, uint anchor, uint bits) {
  uint most = (1u << bits) - 1;
  if (getIndex(c.indices, anchor) <= most >> 1) {
    return;
  }
  swapEnds(c.ends[subset]);
  uint2 flipped = 0;
  for (uint i = 0; i < 16; ++i) {
    uint index = getIndex(c.indices, i);
    setIndex(flipped, i, (mask >> i & 1) ? most - index : index);
  }
  c.indices = flipped;
}

void putIndices(inout Bits bits, uint2 indices, uint count, uint anchor) {
  for (uint i = 0; i < 16; ++i) {
    bool isAnchor = i == 0 || i == anchor;
    put(bits, getIndex(indices, i), isAnchor ? count - 1 : count);
  }
}

uint4 packTwoSubsets(Candidate c) {
  uint mask = Partitions[c.partition], anchor = Anchors[c.partition];
  uint indexBits = c.mode == 1 ? 3 : 2;
  uint endBits = c.mode == 1 ? 6 : c.mode == 3 ? 7 : 5;
  uint channels = c.mode == 7 ? 4 : 3;
  fixAnchor(c, 0, ~mask & 0xffff, 0, indexBits);
  fixAnchor(c, 1, mask, anchor, indexBits);
  Bits bits;
  bits.words = 0;
  bits.at = 0;
  put(bits, 1u << c.mode, c.mode + 1);
  put(bits, c.partition, 6);
  [unroll]
  for (uint channel = 0; channel < 4; ++channel) {
    if (channel < channels) {
      [unroll]
      for (uint subset = 0; subset < 2; ++subset) {
        put(bits, c.ends[subset].low[channel] >> 1, endBits);
        put(bits, c.ends[subset].high[channel] >> 1, endBits);
      }
    }
  }
  [unroll]
  for (uint s = 0; s < 2; ++s) {
    put(bits, c.ends[s].low.r & 1, 1);
    if (c.mode != 1) {
      put(bits, c.ends[s].high.r & 1, 1);
    }
  }
  putIndices(bits, c.indices, indexBits, anchor);
  return bits.words;
}

uint4 packOneSubset(Candidate c) {
  fixAnchor(c, 0, 0xffff, 0, 4);
  Bits bits;
  bits.words = 0;
  bits.at = 0;
  put(bits, 1u << 6, 7);
  [unroll]
  for (uint channel = 0; channel < 4; ++channel) {
    put(bits, c.ends[0].low[channel] >> 1, 7);
    put(bits, c.ends[0].high[channel] >> 1, 7);
  }
  put(bits, c.ends[0].low.r & 1, 1);
  put(bits, c.ends[0].high.r & 1, 1);
  putIndices(bits, c.indices, 4, 0);
  return bits.words;
}

#ifndef OPAQUE
uint4 packSeparateAlpha(Candidate c) {
  uint2 alphas = c.alphaIndices;
  uint lowAlpha = c.ends[0].low.a, highAlpha = c.ends[0].high.a;
  fixAnchor(c, 0, 0xffff, 0, 2);
  if (getIndex(alphas, 0) > 1) {
    alphas = 0x33333333u - alphas;
    uint swapped = lowAlpha;
    lowAlpha = highAlpha;
    highAlpha = swapped;
  }
  Bits bits;
  bits.words = 0;
  bits.at = 0;
  put(bits, 1u << 5, 6);
  put(bits, c.rotation, 2);
  [unroll]
  for (uint channel = 0; channel < 3; ++channel) {
    put(bits, c.ends[0].low[channel], 7);
    put(bits, c.ends[0].high[channel], 7);
  }
  put(bits, lowAlpha, 8);
  put(bits, highAlpha, 8);
  putIndices(bits, c.indices, 2, 0);
  putIndices(bits, alphas, 2, 0);
  return bits.words;
}
#endif

// The partitions with the least estimate, best first.
void rankPartitions(float4 texels[16], out uint ranked[4]) {
  float errors[4] = {1e30f, 1e30f, 1e30f, 1e30f};
  ranked[0] = ranked[1] = ranked[2] = ranked[3] = 0;
  for (uint i = 0; i < 32; ++i) {
    float error = estimatePartition(texels, Partitions[i]);
    uint partition = i;
    [unroll]
    for (uint k = 0; k < 4; ++k) {
      if (error < errors[k]) {
        float e = errors[k];
        uint p = ranked[k];
        errors[k] = error;
        ranked[k] = partition;
        error = e;
        partition = p;
      }
    }
  }
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= BlockCount.x * BlockCount.y) {
    return;
  }
  uint2 block = uint2(id.x % BlockCount.x, id.x / BlockCount.x);
  float4 texels[16];
  float4 smallest = 255, largest = 0;
  for (uint i = 0; i < 16; ++i) {
    uint2 at = min(block * 4 + uint2(i & 3, i >> 2), Size - 1);
    texels[i] = floor(saturate(Source.Load(int3(at, 0))) * 255 + 0.5f);
    smallest = min(smallest, texels[i]);
    largest = max(largest, texels[i]);
  }

  Candidate best = tryOneSubset(texels);
#ifdef OPAQUE
  bool hasAlpha = false;
#else
  bool hasAlpha = (Flags & FLAG_HAS_ALPHA) && smallest.a < 255;
#endif
  bool isFlat = all(largest - smallest <= 1);
  if (!isFlat && best.error > 0 && !(Flags & FLAG_FAST)) {
#ifndef OPAQUE
    uint rotations = hasAlpha || best.error > 400 ? 4 : 1;
    for (uint rotation = 0; rotation < rotations && best.error > 0; ++rotation) {
      keepBetter(best, trySeparateAlpha(texels, rotation));
    }
#endif
    uint ranked[4];
    rankPartitions(texels, ranked);
    for (uint k = 0; k < min(PartitionsToTry, 4) && best.error > 0; ++k) {
      uint modes = hasAlpha ? 1 : 2;
      for (uint m = 0; m < modes && best.error >= 16; ++m) {
        uint mode = hasAlpha ? 7 : m == 0 ? 1 : 3;
        keepBetter(best, tryTwoSubsets(texels, mode, ranked[k]));
      }
    }
  }

  uint4 words;
  switch (best.mode) {
    case 1:
    case 3:
    case 7:
      words = packTwoSubsets(best);
      break;
#ifndef OPAQUE
    case 5:
      words = packSeparateAlpha(best);
      break;
#endif
    default:
      words = packOneSubset(best);
      break;
  }
  Blocks[id.x] = words;
  InterlockedAdd(ModeCounts[best.mode], 1);
}
