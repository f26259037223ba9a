// trellis: cs_6_0 main
// An inner loop that lanes leave at different turns: all that are in the outer loop start its next turn together.
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint outer = 0, inner = 0;
    [loop]
    for (uint a = 0; a < 2; a++) {
        outer = outer * 16 + WaveActiveBallot(true).x;
        [loop]
        for (uint b = 0; b < i; b++)
            inner = inner * 16 + WaveActiveBallot(true).x;
    }
    Out[i] = uint2(outer, inner);
}
