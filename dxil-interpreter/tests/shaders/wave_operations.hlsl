// trellis: cs_6_0 main
// Reductions and scans over floats and integers, votes, and reading of other lanes.
RWStructuredBuffer<float4> Floats : register(u0);
RWStructuredBuffer<uint4> Ints : register(u1);
RWStructuredBuffer<uint4> Votes : register(u2);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    float x = (float)i - 1.5;
    Floats[i] = float4(WaveActiveSum(x), WaveActiveMin(x), WaveActiveMax(x), WavePrefixSum(x));
    Ints[i] = uint4(WaveActiveProduct(i + 1), WaveActiveBitOr(1u << i), WaveActiveBitXor(i + 4), WavePrefixProduct(i + 2));
    Votes[i] = uint4(WaveActiveAnyTrue(i == 2), WaveActiveAllTrue(i < 3), WaveActiveAllEqual(i / 4), WaveReadLaneAt(i * 10, 3 - i));
}
