// trellis: cs_6_0 main
// A loop without a condition left by two breaks with work before each.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], n = 0;
    while (true)
    {
        n++;
        [branch]
        if (v & 1)
        {
            Out[id] = n;
            v += 7;
            break;
        }
        v = In[v & 63];
        [branch]
        if (v > 50)
        {
            Out[id + 64] = n;
            v += 9;
            break;
        }
        Out[id + 128] += v;
    }
    Out[id + 192] = v + n;
}
