// trellis: cs_6_0 main
// A switch where some cases return, one after a further test.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [branch]
    switch (In[id])
    {
    case 0:
        Out[id] = 1;
        return;
    case 1:
        if (In[id + 64] & 1)
        {
            Out[id] = 2;
            return;
        }
        acc = 5;
        break;
    case 2:
        acc = In[id + 128];
    case 3:
        acc += 9;
        if (acc & 4)
            break;
        Out[id + 64] = acc;
        return;
    default:
        return;
    }
    Out[id + 128] = acc;
}
