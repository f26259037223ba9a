// trellis: cs_6_0 main
// Loops whose first turn is known, so that their header test sits at the end; one nested in another at its very top.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint n = In[id] & 15;
    [loop]
    for (uint i = 0; i < 10; i++)
    {
        [loop]
        for (uint j = 0; j < 4; j++)
        {
            [loop]
            do
            {
                n = In[n & 63];
                Out[id] += n;
            } while (n & 1);
            [branch]
            if (n == i)
                break;
        }
        [branch]
        if (n == 60)
            break;
    }
    Out[id + 64] = n;
}
