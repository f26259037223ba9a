// trellis: cs_6_0 main
// An unrolled loop each iteration of which may return.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint find(uint id)
{
    [unroll]
    for (uint i = 0; i < 8; i++)
    {
        [branch]
        if (In[id + i] == 3)
        {
            Out[id] += i;
            return i;
        }
        Out[id + 64] += i;
    }
    return 99;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id + 128] = find(id);
}
