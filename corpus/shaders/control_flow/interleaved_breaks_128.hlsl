// trellis: cs_6_0 main
// A loop unrolled 128 times with three breaks, all of which can be taken, the middle one with an if of its own.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1, kind = 0;

    [unroll]
    for (uint i = 0; i < 128; i++)
    {
        uint v = In[id + i];
        Out[id * 4] = acc;

        [branch]
        if (v & 1)
        {
            Out[id * 4 + 1] = acc + v;
            kind = 1;
            break;
        }

        [branch]
        if (v & 2)
        {
            [branch]
            if (v & 4)
                Out[id * 4 + 2] = acc ^ v;
            kind = 2;
            break;
        }

        [branch]
        if (v & 8)
        {
            Out[id * 4 + 3] = acc * v;
            kind = 3;
            break;
        }
        acc = acc * 3 + v;
    }

    Out[id * 4] = acc * 4 + kind;
}
