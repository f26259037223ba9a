// trellis: cs_6_0 main
// Several labels on one case body.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [branch]
    switch (In[id] & 15)
    {
    case 0:
    case 2:
    case 4:
        Out[id] = 1;
        acc = 11;
        break;
    case 1:
    case 15:
    default:
        Out[id + 64] = 2;
        acc = 12;
        break;
    case 3:
    case 5:
        Out[id + 128] = 3;
        acc = 13;
        break;
    }
    Out[id + 192] = acc;
}
