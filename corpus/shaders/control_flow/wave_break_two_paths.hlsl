// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Two breaks of one loop with different wave operations before them.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], result = 0;
    [loop]
    for (uint i = 0; i < 64; i++)
    {
        [branch]
        if ((v & 63) == i)
        {
            result = WavePrefixSum(v);
            break;
        }
        [branch]
        if (In[i] == v)
        {
            result = WaveActiveMax(v + i);
            break;
        }
        Out[id] += i;
    }
    Out[id + 64] = result;
}
