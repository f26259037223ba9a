// trellis: cs_6_0 main
// A switch that only picks constants: the compiler may keep it, or make a table of it.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint r;
    switch (In[id])
    {
    case 0: r = 17; break;
    case 1: r = 4; break;
    case 2: r = 99; break;
    case 3: r = 1000; break;
    case 4: r = 3; break;
    case 5: r = 8; break;
    case 6: r = 2; break;
    default: r = 0; break;
    }
    Out[id] = r;
}
