// trellis: cs_6_0 main
// A loop that goes round from two places with different values: two latches before they are merged.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], n = 0;
    [loop]
    for (;;)
    {
        n++;
        [branch]
        if (v & 1)
        {
            Out[id] += v;
            v = v * 3 + 1;
            if (n < 100)
                continue;
            Out[id + 64] = v;
            break;
        }
        v = In[v & 63] >> 1;
        Out[id + 128] += n;
        if (v == 0)
            break;
    }
    Out[id + 192] = n;
}
