// trellis: cs_6_0 main
// Both arms of an if return: nothing merges.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    [branch]
    if (v > 10)
    {
        Out[id] = v;
        [branch]
        if (v > 20)
        {
            Out[id + 64] = v;
            return;
        }
        Out[id + 128] = v;
        return;
    }
    else
    {
        Out[id + 192] = v;
        return;
    }
}
