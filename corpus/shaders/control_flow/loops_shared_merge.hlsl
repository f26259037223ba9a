// trellis: cs_6_0 main
// Three nested loops the exits of which all meet in one block: a merge that several loops share.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint walk(uint id)
{
    uint i = 0, j = 0, k = 0;
    [loop]
    while (In[i] != 0)
    {
        [loop]
        while (In[j + 64] != 1)
        {
            [loop]
            while (In[k + 128] != 2)
            {
                k += 1;
                if (k > 30)
                    return 1;
            }
            j += k;
            if (j > 30)
                return 1;
        }
        i += j;
        if (i > 30)
            return 1;
    }
    return 1;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = walk(id);
    Out[id + 64] += 5;
}
