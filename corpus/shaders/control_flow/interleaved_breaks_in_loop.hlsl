// trellis: cs_6_0 main
// Sixteen unrolled iterations with two kinds of break, inside a loop that one of them leaves too.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    bool stop = false;
    [loop]
    for (uint n = 0; n < 10 && !stop; n++)
    {
        [unroll]
        for (uint i = 0; i < 16; i++)
        {
            uint v = In[id + i + n];
            [branch]
            if (v == 1)
            {
                Out[id] = acc;
                stop = true;
                break;
            }
            [branch]
            if (v == 2)
            {
                Out[id + 64] = acc;
                break;
            }
            acc = acc * 3 + v;
            Out[id + 128] = acc;
        }
        Out[id + 192] += acc;
    }
    Out[id + 256] = acc;
}
