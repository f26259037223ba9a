// trellis: cs_6_0 main
// A switch on a 64-bit value.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint64_t v = (uint64_t)In[id] << 32 | In[id + 1];
    uint acc = 0;
    [branch]
    switch (v)
    {
    case 1: Out[id] = 1; acc = 2; break;
    case 0x100000001ull: Out[id + 64] = 2; break;
    case 0xffffffff00000000ull: acc = 5; break;
    default: Out[id + 128] = acc; break;
    }
    Out[id + 192] = acc;
}
