// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Loops inside cases; a break there leaves the loop, not the switch.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [branch]
    switch (In[id] & 3)
    {
    case 0:
        [loop]
        for (uint i = 0; i < 10; i++)
        {
            if (In[i] == 5)
                break;
            Out[id] += i;
        }
        acc = 1;
        break;
    case 1:
        [loop]
        while (acc < 100)
            acc += In[acc] + 1;
    case 2:
        [loop]
        do
        {
            Out[id + 64] += acc;
            acc = acc * 3 + 1;
        } while (acc & 8);
        break;
    }
    Out[id + 128] = acc;
}
