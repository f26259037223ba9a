// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A while loop with three continues: several ways to the back edge.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = id, n = 0;
    [loop]
    while (n < 50)
    {
        v = In[v & 63];
        n++;
        [branch]
        if (v == 1)
            continue;
        Out[id] += v;
        [branch]
        if (v == 2)
        {
            n += 2;
            continue;
        }
        Out[id + 64] += v;
        [branch]
        if (v == 3)
        {
            Out[id + 128] = n;
            continue;
        }
        n += v;
    }
    Out[id + 192] = n;
}
