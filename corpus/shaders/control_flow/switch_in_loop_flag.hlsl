// trellis: cs_6_0 main
// A switch in a loop that leaves the loop by a flag, as C would by goto.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    bool done = false;
    [loop]
    for (uint i = 0; i < 30 && !done; i++)
    {
        [branch]
        switch (In[id + i] & 3)
        {
        case 0: acc += i; break;
        case 1: done = true; break;
        case 2: Out[id] += acc; if (acc > 50) done = true; break;
        default: acc *= 2; break;
        }
        Out[id + 64] = acc;
    }
    Out[id + 128] = acc;
}
