// trellis: cs_6_0 main
// Two breaks of a loop that differ only in a value: the compiler merges them in a block of phis alone, on the way out.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint result = 0;
    [loop]
    for (uint i = 0; i < 32; i++)
    {
        uint v = In[id + i];
        [branch]
        if (v == 3)
        {
            result = i * 2;
            break;
        }
        Out[id] = v;
        [branch]
        if (v == 5)
        {
            result = i * 3;
            break;
        }
        Out[id + 64] = v + 1;
    }
    Out[id + 128] = result;
}
