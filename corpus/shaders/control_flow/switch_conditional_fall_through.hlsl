// trellis: cs_6_0 main
// Cases that break only if a test holds, else fall through into the next.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], acc = 3;
    [branch]
    switch (v & 3)
    {
    case 0:
        Out[id] = acc;
        if (v & 16)
            break;
        acc += 1;
    case 1:
        Out[id + 64] = acc;
        if (v & 32)
            break;
        acc += 10;
    case 2:
        Out[id + 128] = acc;
        if (v & 64)
        {
            acc = 0;
            break;
        }
        acc += 100;
    default:
        Out[id + 192] = acc;
    }
    Out[id + 256] = acc;
}
