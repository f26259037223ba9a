// trellis: cs_6_0 main
// Two breaks of a loop that share real work on the way out, which the normal end does not do.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], kind = 0, acc = 0;
    [loop]
    for (uint i = 0; i < 24; i++)
    {
        v = In[v & 63];
        [branch]
        if (v == 1)
        {
            kind = 1;
            break;
        }
        acc += v;
        [branch]
        if (v == 2)
        {
            kind = 2;
            break;
        }
        Out[id] = acc;
    }
    [branch]
    if (kind != 0)
    {
        Out[id + 64] = acc * kind;
        InterlockedAdd(Out[id + 128], kind);
    }
    Out[id + 192] = acc;
}
