// trellis: cs_6_0 main
// trellis.srgb: cs_6_0 main -DSRGB
// trellis.most: cs_6_0 main -DMOST
// Three levels of a picture in one pass, through groupshared memory and quads of threads.
Texture2D<float4> Level0;
RWTexture2D<float4> Level1;
RWTexture2D<float4> Level2;
RWTexture2D<float4> Level3;
groupshared float4 Shared[64];

float4 decode(float4 c) {
#ifdef SRGB
  return float4(select(c.rgb <= 0.04045f, c.rgb / 12.92f, pow(abs(c.rgb + 0.055f) / 1.055f, 2.4f)), c.a);
#else
  return c;
#endif
}

float4 encode(float4 c) {
#ifdef SRGB
  return float4(select(c.rgb <= 0.0031308f, c.rgb * 12.92f, 1.055f * pow(abs(c.rgb), 1 / 2.4f) - 0.055f), c.a);
#else
  return c;
#endif
}

float4 joined(float4 a, float4 b, float4 c, float4 d) {
#ifdef MOST
  return max(max(a, b), max(c, d));
#else
  return (a + b + c + d) * 0.25f;
#endif
}

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  uint2 from = id * 2;
  float4 c = joined(decode(Level0[from]), decode(Level0[from + uint2(1, 0)]), decode(Level0[from + uint2(0, 1)]),
                    decode(Level0[from + 1]));
  Level1[id] = encode(c);
  Shared[thread] = c;
  GroupMemoryBarrierWithGroupSync();
  if ((thread & 9) == 0) {
    c = joined(c, Shared[thread + 1], Shared[thread + 8], Shared[thread + 9]);
    Level2[id / 2] = encode(c);
    Shared[thread] = c;
  }
  GroupMemoryBarrierWithGroupSync();
  if ((thread & 27) == 0) {
    c = joined(c, Shared[thread + 2], Shared[thread + 16], Shared[thread + 18]);
    Level3[id / 4] = encode(c);
  }
}
