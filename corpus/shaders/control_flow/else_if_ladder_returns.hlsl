// trellis: cs_6_0 main
// An else-if ladder in a loop: arms that break, continue, return and fall out.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 20; i++)
    {
        uint v = In[id + i];
        [branch]
        if (v & 1)
            acc += 1;
        else if (v & 2)
            continue;
        else if (v & 4)
            break;
        else if (v & 8)
        {
            Out[id] = acc;
            return;
        }
        else if (v & 16)
            acc += 100;
        Out[id + 64] += acc;
    }
    Out[id + 128] = acc;
}
