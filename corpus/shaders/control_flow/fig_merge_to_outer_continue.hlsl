// trellis: cs_6_0 main
// An inner loop one exit of which is the continue of the outer loop, another the exit of both.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id;
    [loop]
    for (uint i = 0; i < 16; i++)
    {
        bool skip = false;
        [loop]
        while (true)
        {
            uint v = In[at & 63];
            at += v + 1;
            [branch]
            if (v == 1)
            {
                skip = true;
                break;
            }
            [branch]
            if (v == 2)
            {
                Out[id + 64] = at;
                return;
            }
            [branch]
            if (v == 3)
                break;
            Out[id] += v;
        }
        [branch]
        if (skip)
            continue;
        Out[id + 128] += at;
    }
    Out[id + 192] = at;
}
