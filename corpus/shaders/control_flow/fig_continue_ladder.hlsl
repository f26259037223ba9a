// trellis: cs_6_0 main
// A continue and an if that both end in the back edge's block, which also merges the if.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    [loop]
    for (uint i = 0; i < In[id]; i++)
    {
        [branch]
        if (In[i] & 1)
            continue;
        Out[id] += i;
        [branch]
        if (In[i] & 2)
            Out[id + 64] += i;
        else
            Out[id + 128] += i;
    }
}
