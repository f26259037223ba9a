// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Switches inside the cases of a switch, with fall-through at both levels.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], w = In[id + 64], acc = 0;
    [branch]
    switch (v & 3)
    {
    case 0:
        [branch]
        switch (w & 3)
        {
        case 0: acc = 1; Out[id] = acc; break;
        case 1: acc = 2; Out[id + 64] = acc;
        case 2: acc += 3; Out[id + 128] = acc; break;
        default: acc = 4; break;
        }
        Out[id + 192] = acc;
    case 1:
        [branch]
        switch (w >> 2 & 3)
        {
        case 1: Out[id + 256] = acc; break;
        case 3: Out[id + 320] = acc; acc ^= 5; break;
        }
        break;
    default:
        Out[id + 384] = 7;
        break;
    }
    Out[id + 448] = acc;
}
