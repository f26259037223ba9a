// trellis: cs_6_0 main
// trellis.philox: cs_6_0 main -DPHILOX
// trellis.sobol: cs_6_0 main -DSOBOL
// trellis.halton: cs_6_0 main -DHALTON
// Generators: permuted congruential, counter-based with wide products, and low-discrepancy sequences.
RWStructuredBuffer<uint4> Out;
cbuffer Seed { uint Start; };

uint pcg(inout uint state) {
  uint before = state;
  state = state * 747796405 + 2891336453;
  uint word = (before >> ((before >> 28) + 4) ^ before) * 277803737;
  return word >> 22 ^ word;
}

uint2 philox(uint2 counter, uint key) {
  for (uint i = 0; i < 10; ++i) {
    uint64_t wide = (uint64_t)counter.x * 0xd256d193u;
    counter = uint2((uint)(wide >> 32) ^ key ^ counter.y, (uint)wide);
    key += 0x9e3779b9;
  }
  return counter;
}

float radical(uint i, uint base) {
  float result = 0, weight = 1.0f / base;
  while (i > 0) {
    result += weight * (i % base);
    i /= base;
    weight /= base;
  }
  return result;
}

uint sobol(uint i, uint dimension) {
  uint direction = 0x80000000, result = 0;
  for (; i > 0; i >>= 1) {
    if ((i & 1) != 0)
      result ^= direction;
    direction ^= direction >> (1 + dimension);
  }
  return result;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#if defined(PHILOX)
  Out[id] = uint4(philox(uint2(id, 0), Start), philox(uint2(id, 1), Start));
#elif defined(SOBOL)
  Out[id] = uint4(reversebits(id), sobol(id, 0), sobol(id, 1), sobol(id ^ Start, 2));
#elif defined(HALTON)
  Out[id] = asuint(float4(radical(id, 2), radical(id, 3), radical(id, 5), radical(id & 63, 7)));
#else
  uint state = id ^ Start;
  uint4 r;
  r.x = pcg(state);
  r.y = pcg(state);
  r.z = pcg(state);
  r.w = pcg(state);
  Out[id] = r;
#endif
}
