// trellis: cs_6_0 main
// Three nested loops, each with a data-dependent count.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint n = In[id] & 7;
    uint acc = 0;
    [loop]
    for (uint i = 0; i < n; i++)
    {
        [loop]
        for (uint j = i; j < n; j++)
        {
            [loop]
            for (uint k = j; k < n; k++)
            {
                acc += In[i * 16 + j * 4 + k];
                Out[id + 64] = acc;
            }
            acc ^= j;
        }
        acc *= 3;
    }
    Out[id] = acc;
}
