// trellis: cs_6_0 main
// A do-while(false) whose break skips the second half: a block construct, no loop.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = In[id];
    do
    {
        Out[id * 4 + 0] = acc;
        acc = acc * 3 + 1;
        [branch]
        if (acc & 2)
            break;
        Out[id * 4 + 1] = acc;
        acc = acc * 5 + 7;
        [branch]
        if (acc & 8)
            break;
        Out[id * 4 + 2] = acc;
    } while (false);
    Out[id * 4 + 3] = acc;
}
