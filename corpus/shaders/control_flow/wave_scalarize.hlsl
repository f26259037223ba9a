// trellis: cs_6_0 main
// The scalarization loop: each turn serves the lanes that share the first lane's value, over a ballot.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id] & 7;
    uint result = 0;
    uint4 todo = WaveActiveBallot(true);
    bool active = true;
    [loop]
    while (WaveActiveAnyTrue(active))
    {
        if (active)
        {
            uint scalar = WaveReadLaneFirst(v);
            if (scalar == v)
            {
                result = In[scalar + 64] + WavePrefixCountBits(true);
                active = false;
            }
        }
    }
    Out[id] = result + countbits(todo.x);
}
