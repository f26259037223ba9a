// trellis: cs_6_0 main
// A loop with an if-else and a nested if in its body, and no odd exit.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < (In[id] & 31); i++)
    {
        uint v = In[i];
        [branch]
        if (v & 1)
        {
            Out[id] += v;
            [branch]
            if (v & 2)
                Out[id + 64] += i;
        }
        else
        {
            Out[id + 128] += v;
        }
        acc += v;
    }
    Out[id + 192] = acc;
}
