// trellis: cs_6_0 main
// A lane leaves a loop after as many turns as its number; the others see each other in each turn. What comes before the break runs with the lanes that break.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint history = 0, leaving = 0;
    for (uint turn = 0;; turn++) {
        history = history * 16 + WaveActiveBallot(true).x;
        if (turn == i) {
            leaving = WaveActiveBallot(true).x;
            break;
        }
    }
    Out[i] = uint4(history, leaving, WaveActiveBallot(true).x, 0);
}
