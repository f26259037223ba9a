// trellis: cs_6_0 main
// Two breaks of a loop that share real work on the way out, which the loop's normal end does not do.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id)
{
    [loop]
    for (uint i = 0;; i++)
    {
        if (i >= 24)
            return;
        uint v = In[id + i];
        [branch]
        if (v == 1)
            break;
        Out[id] += v;
        [branch]
        if (v == 2)
            break;
        Out[id + 64] += v;
    }
    Out[id + 128] = In[id + 5];
    Out[id + 192] += 3;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    scan(id);
    Out[id + 256] = 7;
}
