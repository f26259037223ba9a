// trellis: cs_6_0 main
// A function that returns a wave operation's result from the inner of two loops, inlined.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint find(uint v)
{
    [loop]
    for (uint i = 0; i < 8; i++)
    {
        [loop]
        for (uint j = 0; j < 8; j++)
        {
            if (In[i * 8 + j] == v)
                return WaveActiveBitOr(1u << (i + j)) + WaveGetLaneIndex();
        }
        v += WaveActiveMin(v);
    }
    return WaveActiveCountBits(v > 5);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = find(In[id]);
}
