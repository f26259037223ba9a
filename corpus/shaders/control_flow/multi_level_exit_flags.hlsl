// trellis: cs_6_0 main
// Two-level breaks and two-level continues by flags that the outer loop tests.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 8; i++)
    {
        uint exit = 0;
        [loop]
        for (uint j = 0; j < 8; j++)
        {
            uint v = In[id + i * 8 + j];
            [branch]
            if (v == 5)
            {
                exit = 2;
                break;
            }
            [branch]
            if (v == 6)
            {
                exit = 1;
                break;
            }
            acc += v;
            Out[id] = acc;
        }
        [branch]
        if (exit == 2)
            break;
        [branch]
        if (exit == 1)
            continue;
        Out[id + 64] = acc + i;
    }
    Out[id + 128] = acc;
}
