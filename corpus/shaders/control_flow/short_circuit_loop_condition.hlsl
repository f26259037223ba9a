// trellis: cs_6_0 main -HV 2021
// A loop whose condition has && and || with side effects.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

bool more(uint id, uint i)
{
    uint old;
    InterlockedAdd(Out[id], i, old);
    return (In[id + i] + old) & 3;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint i = 0;
    while (i < 50 && (more(id, i) || more(id, i + 1)))
    {
        Out[id + 64] += i;
        i++;
    }
    Out[id + 128] = i;
}
