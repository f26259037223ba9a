// trellis: cs_6_0 main
// Two switches in a row, the second on values that the cases of the first set.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], next = 9;
    [branch]
    switch (v & 7)
    {
    case 0: Out[id] = 1; next = 2; break;
    case 1: Out[id + 64] = 2; next = 2; break;
    case 2: Out[id + 128] = 3; next = 3; break;
    case 3: next = 2; break;
    case 4: next = 4; break;
    }
    [branch]
    switch (next)
    {
    case 2: Out[id + 192] = v;
    case 3: Out[id + 256] = v + 1; break;
    case 4: Out[id + 320] = v + 2; break;
    }
    Out[id + 384] = next;
}
