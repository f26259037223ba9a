// trellis: cs_6_0 main
// A retry around a compare-and-swap: a loop that goes round on failure and falls out on success.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint expected = Out[0], old, tries = 0;
    [allow_uav_condition]
    while (true)
    {
        uint wanted = expected * 3 + In[id];
        InterlockedCompareExchange(Out[0], expected, wanted, old);
        if (old == expected || ++tries > 16)
            break;
        expected = old;
    }
    Out[id + 1] = tries;
}
