// trellis: cs_6_0 main
// A full binary tree of ifs, three deep, with a value from each leaf and work after each merge.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], acc;
    [branch]
    if (v & 1)
    {
        [branch]
        if (v & 2)
        {
            [branch]
            if (v & 4)
                acc = In[id + 1];
            else
                acc = In[id + 2];
            Out[id] = acc;
        }
        else
        {
            [branch]
            if (v & 8)
                acc = In[id + 3];
            else
                acc = In[id + 4];
            Out[id + 64] = acc;
        }
        acc += 5;
    }
    else
    {
        [branch]
        if (v & 16)
            acc = In[id + 5];
        else
            acc = In[id + 6];
        Out[id + 128] = acc;
    }
    Out[id + 192] = acc;
}
