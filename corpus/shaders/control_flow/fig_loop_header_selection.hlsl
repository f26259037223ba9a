// trellis: cs_6_0 main
// A loop header that also heads two selections: an if around an if at the top of the body, each with its own merge.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    [loop]
    while (true)
    {
        [branch]
        if (v & 1)
        {
            [branch]
            if (v & 2)
            {
                Out[id] = v;
                break;
            }
            Out[id + 64] = v;
        }
        else if (v & 4)
        {
            Out[id + 128] = v;
            break;
        }
        v = In[v & 63];
    }
    Out[id + 192] = v;
}
