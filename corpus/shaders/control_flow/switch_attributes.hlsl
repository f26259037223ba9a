// trellis: cs_6_0 main
// The switch attributes: branch, flatten, forcecase, call.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint pick(uint v, uint a, uint b)
{
    uint r = 0;
    [flatten]
    switch (v & 3) { case 0: r = a; break; case 1: r = b; break; default: r = a ^ b; break; }
    [branch]
    switch (v >> 2 & 3) { case 0: r += a; break; case 1: r *= b; break; default: r ^= a + b; break; }
    [forcecase]
    switch (v >> 4 & 3) { case 0: r += 3; break; case 1: r *= 5; break; default: r ^= 7; break; }
    [call]
    switch (v >> 6 & 3) { case 0: r += 9; break; case 1: r *= 11; break; default: r ^= 13; break; }
    return r;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = pick(In[id], In[id + 64], In[id + 128]);
}
