// trellis: cs_6_0 main
// A switch whose cases fall through one after the other, and a default in the middle.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    [branch]
    switch (In[id])
    {
    case 0:
        Out[id * 8 + 0] = acc;
        acc *= 3;
    case 1:
        Out[id * 8 + 1] = acc;
        acc += 5;
        break;
    default:
        Out[id * 8 + 2] = acc;
        acc *= 7;
    case 3:
        Out[id * 8 + 3] = acc;
        acc ^= 9;
    case 4:
        Out[id * 8 + 4] = acc;
        acc += 11;
        break;
    case 5:
        acc = 100;
        break;
    }
    Out[id * 8 + 7] = acc;
}
