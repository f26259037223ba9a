// trellis: cs_6_0 main
// Wave operations on the way out of two nested loops.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], acc = 0;
    [loop]
    for (uint i = 0; i < 8; i++)
    {
        [loop]
        while (true)
        {
            uint first = WaveReadLaneFirst(v);
            if (v == first)
            {
                acc += WaveActiveSum(v + i);
                break;
            }
            Out[id] += 1;
        }
        v = In[v & 63];
        if (v == 0)
        {
            acc += WaveActiveCountBits(true) * 1000;
            break;
        }
    }
    Out[id + 64] = acc;
}
