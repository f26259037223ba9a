// trellis: cs_6_0 main
// Three nested ifs whose else parts are one block: what `a && b && c` becomes with branches.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    bool all = false;
    [branch]
    if (In[id] & 1)
    {
        [branch]
        if (In[id + 64] & 2)
        {
            [branch]
            if (In[id + 128] & 4)
                all = true;
        }
    }
    [branch]
    if (all)
        Out[id] = In[id + 192];
    else
        Out[id + 64] = In[id + 256];
}
