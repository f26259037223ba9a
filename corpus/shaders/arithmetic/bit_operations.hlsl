// trellis: cs_6_0 main
// Reverse, count, find the first bit from either side, and bit-field patterns.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint x = In[id];
    int s = (int)x;
    Out[id * 8 + 0] = reversebits(x);
    Out[id * 8 + 1] = countbits(x);
    Out[id * 8 + 2] = firstbitlow(x);
    Out[id * 8 + 3] = firstbithigh(x);
    Out[id * 8 + 4] = firstbithigh(s);
    Out[id * 8 + 5] = (x >> 5) & 0x3ff;
    Out[id * 8 + 6] = (s << 7) >> 20;
    Out[id * 8 + 7] = (x & 0xffff00ff) | ((x & 0xff) << 8);
}
