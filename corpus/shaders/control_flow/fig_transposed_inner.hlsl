// trellis: cs_6_0 main
// Two nested loops where the inner loop's normal end leaves further out than its break does.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id)
{
    [loop]
    for (uint n = 0; n < 32; n++)
    {
        [loop]
        for (uint i = 0;; i++)
        {
            if (i >= 8)
                return;
            uint v = In[id + n + i];
            [branch]
            if (v == n)
                break;
            Out[id] += v;
        }
        [branch]
        if (In[id + n] > 50)
            break;
        Out[id + 64] += n;
    }
    Out[id + 128] += 5;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    scan(id);
    Out[id + 192] = 7;
}
