// trellis: cs_6_0 main
// Two nested loops where the inner loop's normal end leaves further out than its break does.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id, sum = 0;
    [loop]
    while (true)
    {
        sum += In[at & 63];
        bool hit = false;
        [loop]
        for (uint i = 0; i < 8; i++)
        {
            uint v = In[(at + i) & 63];
            [branch]
            if (v == sum)
            {
                hit = true;
                at += v;
                break;
            }
            Out[id] += v;
        }
        [branch]
        if (!hit)
            break;
        Out[id + 64] += at;
        [branch]
        if (at > 500)
        {
            Out[id + 128] = at;
            break;
        }
    }
    Out[id + 192] = sum;
}
