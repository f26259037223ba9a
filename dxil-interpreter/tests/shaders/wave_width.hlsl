// trellis: cs_6_0 main
// The wave's width and a thread's lane; a group of 24 threads fills waves of 16 lanes one and a half times.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(24, 1, 1)]
void main(uint i : SV_GroupIndex) {
    if (WaveIsFirstLane())
        Out[i / 16] = uint4(WaveGetLaneCount(), WaveGetLaneIndex(), i, WaveActiveCountBits(true));
    else if (i == 23)
        Out[2] = uint4(WaveActiveBallot(true).x, WaveReadLaneFirst(i), 0, 0);
}
