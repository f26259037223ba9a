// trellis: cs_6_0 main
// A loop that only one arm of an if enters, and that only a return leaves.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    [branch]
    if (v & 1)
    {
        while (true)
        {
            v = In[v & 63];
            Out[id] += v;
            if (v == 3)
                return;
        }
    }
    else
    {
        Out[id + 64] = v;
    }
    Out[id + 128] = v + 1;
}
