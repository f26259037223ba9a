// trellis: cs_6_0 main
// A flag that says which of three ways to go behind an inner loop, tested by a switch one case of which returns.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
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
            Out[id] += v;
        }
        [branch]
        switch (exit)
        {
        case 0: Out[id + 64] += i; break;
        case 1: Out[id + 128] += i; break;
        case 2: Out[id + 192] += i; return;
        }
        Out[id + 256] += i;
    }
    Out[id + 320] = 7;
}
