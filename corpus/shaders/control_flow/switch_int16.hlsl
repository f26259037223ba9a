// trellis: cs_6_2 main -enable-16bit-types
// A switch on a 16-bit value.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint16_t v = (uint16_t)In[id];
    uint acc = 0;
    [branch]
    switch (v)
    {
    case 1: Out[id] = 1; acc = 2; break;
    case 65535: Out[id + 64] = 2; break;
    case 7: acc = 5;
    default: Out[id + 128] = acc; break;
    }
    Out[id + 192] = acc;
}
