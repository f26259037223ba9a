// trellis: cs_6_0 main
// Each case of a switch sees its own lanes, and a case that falls through adds them to the next one's.
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint seen = 0;
    switch (i & 3) {
    case 0:
        seen = WaveActiveBallot(true).x;
        break;
    case 1:
    case 2:
        seen = WaveActiveBallot(true).x + 1000;
        break;
    default:
        seen = WaveActiveCountBits(true) + 2000;
        break;
    }
    Out[i] = uint2(seen, WaveActiveBallot(true).x);
}
