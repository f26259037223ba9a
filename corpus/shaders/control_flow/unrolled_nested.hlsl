// trellis: cs_6_0 main
// An unrolled loop in an unrolled loop; the inner one breaks and continues.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [unroll]
    for (uint i = 0; i < 4; i++)
    {
        [unroll]
        for (uint j = 0; j < 4; j++)
        {
            uint v = In[id + i * 4 + j];
            [branch]
            if (v == 0)
                continue;
            Out[id] += v;
            [branch]
            if (v > 9)
                break;
            acc += v * j;
        }
        [branch]
        if (acc > 100)
            break;
        Out[id + 64] = acc;
    }
    Out[id + 128] = acc;
}
