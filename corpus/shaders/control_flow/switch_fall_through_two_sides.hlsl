// trellis: cs_6_0 main
// One case label goes straight to a block into which two other cases fall, and two more return past it.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void work(uint id)
{
    uint v = In[id];
    [branch]
    switch (v & 7)
    {
    case 0:
        Out[id] = v;
        break;
    case 1:
        Out[id + 64] = v;
        break;
    case 2:
        break;
    case 3:
        Out[id + 128] = v;
        return;
    default:
        return;
    }
    Out[id + 192] += v;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    work(id);
    Out[id + 256] = 5;
}
