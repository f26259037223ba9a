// trellis: cs_6_0 main
// A loop that ends in a break: it runs once, and a continue is what makes it go round.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    [loop]
    while (true)
    {
        v = In[v & 63];
        Out[id] += v;
        [branch]
        if (v & 1)
            continue;
        Out[id + 64] = v;
        [branch]
        if (v & 2)
            continue;
        Out[id + 128] = v;
        break;
    }
    Out[id + 192] = v;
}
