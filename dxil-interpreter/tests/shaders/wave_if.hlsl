// trellis: cs_6_0 main
// Each side of an if sees its own lanes; after it all are together again. A return takes lanes away for good.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint inside;
    if (i & 1)
        inside = WaveActiveBallot(true).x;
    else
        inside = WaveActiveSum(i);
    uint after = WaveActiveBallot(true).x;
    if (i >= 6)
        return;
    Out[i] = uint4(inside, after, WaveActiveBallot(true).x, WavePrefixSum(i + 1));
}
