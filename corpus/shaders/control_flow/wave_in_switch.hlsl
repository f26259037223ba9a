// trellis: cs_6_0 main
// Wave operations in the cases of a switch in a loop, and behind their merge.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], acc = 0;
    [loop]
    for (uint i = 0; i < 4; i++)
    {
        [branch]
        switch (v & 3)
        {
        case 0: acc += WaveActiveSum(v); break;
        case 1: acc += WaveActiveProduct(v); 
        case 2: acc += WavePrefixCountBits(v & 4); break;
        default: acc ^= WaveReadLaneFirst(v); continue;
        }
        acc += WaveActiveCountBits(true);
        v = In[(v + i) & 63];
    }
    Out[id] = acc;
}
