// trellis: cs_6_0 main
// continue in a do-while: it goes to the condition, which is in the back edge's block.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = id, n = 0;
    [loop]
    do
    {
        v = In[v & 63];
        n++;
        [branch]
        if (v & 1)
            continue;
        Out[id] += v;
        [branch]
        if (v & 2)
            continue;
        Out[id + 64] += n;
    } while (v < 40);
    Out[id + 128] = n;
}
