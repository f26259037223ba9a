// trellis: cs_6_0 main
// One block of a digest, its message schedule in a local array.
StructuredBuffer<uint> In;
RWStructuredBuffer<uint> Out;

uint turn(uint v, uint by) { return v >> by | v << (32 - by); }

// The first bits of the fractional part of a root are not needed here: any constants show the same shape.
uint roundConstant(uint i) { return 0x428a2f98 * (i * 2 + 1) ^ turn(0x71374491, i & 31); }

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint w[64];
  for (uint i = 0; i < 16; ++i)
    w[i] = In[(id * 16 + i) & 255];
  for (uint j = 16; j < 64; ++j) {
    uint a = w[j - 15], b = w[j - 2];
    w[j] = w[j - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[j - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
  uint4 low = uint4(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a);
  uint4 high = uint4(0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  uint4 first = low, second = high;
  for (uint k = 0; k < 64; ++k) {
    uint e = high.x;
    uint t = high.w + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & high.y) ^ (~e & high.z)) + roundConstant(k) + w[k];
    uint a = low.x;
    uint u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & low.y) ^ (a & low.z) ^ (low.y & low.z));
    high = uint4(low.w + t, high.xyz);
    low = uint4(t + u, low.xyz);
  }
  first += low;
  second += high;
  for (uint c = 0; c < 4; ++c) {
    Out[id * 8 + c] = first[c];
    Out[id * 8 + 4 + c] = second[c];
  }
}
