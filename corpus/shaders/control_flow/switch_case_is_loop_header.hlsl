// trellis: cs_6_0 main
// A case label that goes straight to a loop's header, where other cases come too; the default returns.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void work(uint id)
{
    uint v = In[id];
    [branch]
    switch (v & 7)
    {
    case 0:
        Out[id] = 1;
        break;
    case 1:
        Out[id + 64] = 2;
        break;
    case 2:
    case 3:
        break;
    default:
        return;
    }
    [loop]
    do
    {
        Out[id + 128] += v;
        v = In[v & 63];
    } while (v & 1);
    Out[id + 192] = v;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    work(id);
    Out[id + 256] = 5;
}
