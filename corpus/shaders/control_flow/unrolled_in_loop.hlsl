// trellis: cs_6_0 main
// An unrolled loop with breaks inside a loop that stays: its breaks interleave inside the outer loop.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    [loop]
    for (uint i = 0; i < In[id]; i++)
    {
        [unroll]
        for (uint j = 0; j < 8; j++)
        {
            uint v = In[i + j];
            [branch]
            if (v & 1)
            {
                Out[id] += v;
                break;
            }
            acc += v;
            [branch]
            if (v & 2)
            {
                Out[id + 64] += acc;
                break;
            }
            Out[id + 128] = acc;
        }
        acc ^= i;
    }
    Out[id + 192] = acc;
}
