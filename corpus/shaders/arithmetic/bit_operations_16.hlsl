// trellis: cs_6_2 main -enable-16bit-types
// Bit counting and searching of 16-bit integers.

StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint16_t u = (uint16_t)In[id];
    int16_t s = (int16_t)In[id];
    Out[id * 8 + 0] = reversebits(u);
    Out[id * 8 + 1] = countbits(u);
    Out[id * 8 + 2] = firstbitlow(u);
    Out[id * 8 + 3] = firstbithigh(u);
    Out[id * 8 + 4] = firstbithigh(s);
}
