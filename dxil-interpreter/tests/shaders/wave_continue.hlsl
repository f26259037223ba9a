// trellis: cs_6_0 main
// Lanes that continue wait for those that do not: each turn begins with all lanes of the loop.
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint starts = 0, rests = 0;
    [loop]
    for (uint turn = 0; turn < 3; turn++) {
        starts = starts * 16 + WaveActiveBallot(true).x;
        [branch]
        if ((i + turn) & 1)
            continue;
        rests = rests * 16 + WaveActiveBallot(true).x;
        Out[i].y = rests;
    }
    Out[i].x = starts;
}
