// trellis: cs_6_0 main
// A switch with far apart and negative case values.
StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    int acc = 1;
    [branch]
    switch (In[id])
    {
    case -2147483647:
        Out[id] = 1;
        break;
    case -1:
        Out[id + 64] = 2;
        acc = 5;
        break;
    case 0:
        acc = 9;
        break;
    case 1000000:
        Out[id + 128] = 3;
        break;
    case 2147483647:
        Out[id + 192] = 4;
        acc = 6;
        break;
    }
    Out[id + 256] = acc;
}
