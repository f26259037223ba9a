// trellis: cs_6_0 main
// A loop that leaves to three places, none of which is behind the others: its exits meet only much later.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id)
{
    [loop]
    for (uint i = 0;; i++)
    {
        uint v = In[id + i];
        [branch]
        if (v == 1)
        {
            Out[id] = i;
            [branch]
            if (In[id + 64] & 1)
                return;
            break;
        }
        [branch]
        if (v == 2)
        {
            Out[id + 64] = i;
            [branch]
            if (In[id + 65] & 1)
                break;
            return;
        }
        [branch]
        if (i >= 20)
            return;
        Out[id + 128] += v;
    }
    Out[id + 192] += 1;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    scan(id);
    Out[id + 256] = 7;
}
