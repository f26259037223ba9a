// trellis: cs_6_0 main
// A phi at the outer merge with a value from each of five exits at three depths.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint walk(uint id)
{
    if (In[id] == 0)
        return 10;
    [loop]
    for (uint i = 0; i < 8; i++)
    {
        uint a = In[id + i];
        if (a == 1)
            return 20 + i;
        [loop]
        for (uint j = 0; j < 8; j++)
        {
            uint b = In[a + j];
            if (b == 2)
                return 30 + j;
            if (b == 3)
            {
                Out[id] = a + b;
                return a * b;
            }
        }
    }
    return 40;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id + 64] = walk(id);
}
