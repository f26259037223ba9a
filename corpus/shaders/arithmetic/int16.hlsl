// trellis: cs_6_2 main -enable-16bit-types
// trellis.min: cs_6_0 main -Dint16_t=min16int -Duint16_t=min16uint -DMINIMUM
// 16-bit integers, native and of minimum precision: arithmetic, shifts, comparison, casts.

StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    int16_t a = (int16_t)In[id], b = (int16_t)In[id + 1], c = (int16_t)In[id + 2];
    uint16_t u = (uint16_t)In[id], v = (uint16_t)In[id + 1], w = (uint16_t)In[id + 2];
    uint at = id * 32;
    Out[at + 0] = a + b;
    Out[at + 1] = a - b;
    Out[at + 2] = a * b;
#ifndef MINIMUM
    Out[at + 3] = a / b;
    Out[at + 4] = a % b;
#endif
    Out[at + 5] = u / v;
    Out[at + 6] = u % v;
    Out[at + 7] = a << b;
    Out[at + 8] = a >> b;
    Out[at + 9] = u >> v;
    Out[at + 10] = (a & b) | (a ^ c);
    Out[at + 11] = min(a, b);
    Out[at + 12] = max(a, b);
    Out[at + 13] = min(u, v);
    Out[at + 14] = max(u, v);
    Out[at + 15] = mad(a, b, c);
    Out[at + 16] = mad(u, v, w);
    Out[at + 17] = (a < b) + (u < v) * 2 + (a == b) * 4;
    Out[at + 18] = (int16_t)(float)a;
    Out[at + 19] = (uint16_t)(float)u;
    Out[at + 20] = abs(a);
}
