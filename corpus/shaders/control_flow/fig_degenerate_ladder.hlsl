// trellis: cs_6_0 main
// Nested else-less ifs in a loop that break from three depths with no work on the way out.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 32; i++)
    {
        uint v = In[id + i];
        [branch]
        if (v & 1)
        {
            Out[id] += v;
            [branch]
            if (v & 2)
            {
                Out[id + 64] += v;
                [branch]
                if (v & 4)
                    break;
                Out[id + 128] += v;
            }
            [branch]
            if (v & 8)
                break;
            acc += v;
        }
        [branch]
        if (v & 16)
            break;
        acc ^= i;
    }
    Out[id + 192] = acc;
}
