// trellis: cs_6_0 main
// Lane index and count, first lane, votes, ballot, bit counts.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    bool odd = v & 1;
    uint at = id * 16;
    Out[at + 0] = WaveGetLaneIndex();
    Out[at + 1] = WaveGetLaneCount();
    Out[at + 2] = WaveIsFirstLane();
    Out[at + 3] = WaveActiveAnyTrue(odd);
    Out[at + 4] = WaveActiveAllTrue(odd);
    Out[at + 5] = WaveActiveAllEqual(v);
    uint4 b = WaveActiveBallot(odd);
    Out[at + 6] = b.x;
    Out[at + 7] = b.y ^ b.z ^ b.w;
    Out[at + 8] = WaveActiveCountBits(odd);
    Out[at + 9] = WavePrefixCountBits(odd);
    Out[at + 10] = WaveReadLaneAt(v, 3);
    Out[at + 11] = WaveReadLaneFirst(v);
}
