// trellis: cs_6_0 main
// Values defined in a loop and used behind it, of the last turn and of the one before.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint last = 0, before = 0, i = 0;
    [loop]
    for (i = 0; i < 64; i++)
    {
        before = last;
        last = In[id + i];
        if (last == 5)
            break;
        if ((before ^ last) == 7)
        {
            before += 100;
            break;
        }
    }
    Out[id] = last;
    Out[id + 64] = before;
    Out[id + 128] = i;
}
