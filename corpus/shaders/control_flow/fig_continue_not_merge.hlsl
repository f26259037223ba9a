// trellis: cs_6_0 main
// A back edge's block with many ways in, beside a block where most paths meet: the continue is an escape, not a merge.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = id, acc = 0;
    [loop]
    for (uint i = 0; i < 40; i++)
    {
        v = In[(v + i) & 63];
        [branch]
        if (v & 1)
        {
            Out[id] += v;
            [branch]
            if (v & 2)
                continue;
            acc += 1;
        }
        else
        {
            Out[id + 64] += v;
            [branch]
            if (v & 4)
                continue;
            [branch]
            if (v & 8)
                acc += 2;
            else
                acc += In[v & 63];
        }
        Out[id + 128] += acc;
        [branch]
        if (acc > 500)
            break;
        [branch]
        if (acc & 16)
            continue;
        Out[id + 192] = acc;
    }
    Out[id + 256] = acc;
}
