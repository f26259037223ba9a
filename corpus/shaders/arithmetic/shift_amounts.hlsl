// trellis: cs_6_2 main -enable-16bit-types
// Shifts by amounts beyond the width, which Direct3D masks: 16, 32 and 64 bits, constant and dynamic.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], n = In[id + 1];
    uint16_t s = (uint16_t)v;
    uint64_t l = (uint64_t)v << 31;
    Out[id * 4] = (v << n) + (v >> n) + (uint)((int)v >> n);
    Out[id * 4 + 1] = (l << n) + (l >> n) + (uint64_t)((int64_t)l >> n);
    Out[id * 4 + 2] = (uint16_t)(s << (uint16_t)n) + (s >> (uint16_t)n);
    Out[id * 4 + 3] = (v << 31) + (l >> 63) + (s >> 15);
}
