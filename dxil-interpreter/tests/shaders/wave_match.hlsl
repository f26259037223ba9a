// trellis: cs_6_5 main
// WaveMatch finds the lanes with the same value; the multi-prefix operations work within them.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint4 same = WaveMatch(i % 3);
    Out[i] = uint4(same.x, WaveMultiPrefixSum(i, same), WaveMultiPrefixCountBits(i > 2, same), WaveMultiPrefixBitOr(1u << i, same));
}
