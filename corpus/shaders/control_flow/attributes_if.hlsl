// trellis: cs_6_0 main
// The same if with branch, with flatten, and with neither.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], a = 1, b = 2, c = 3;
    [branch]
    if (v & 1)
        a = v * 3 + 1;
    [flatten]
    if (v & 2)
        b = v * 5 + 1;
    if (v & 4)
        c = v * 7 + 1;
    Out[id] = a + b + c;
}
