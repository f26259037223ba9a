// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Switches with only a default, and with one case: they turn into straight code and an if.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    switch (v)
    {
    default:
        Out[id] = v + 1;
        break;
    }
    switch (v)
    {
    case 6:
        Out[id + 64] = v + 2;
        break;
    }
}
