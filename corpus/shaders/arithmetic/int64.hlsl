// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// 64-bit integers: arithmetic, shifts, comparison, casts to and from 32 bits, float and double.

StructuredBuffer<int64_t> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    int64_t a = In[id], b = In[id + 1];
    uint64_t u = (uint64_t)a, v = (uint64_t)b;
    uint at = id * 32;
    Out[at + 0] = a + b;
    Out[at + 1] = a - b;
    Out[at + 2] = a * b;
    Out[at + 3] = a / b;
    Out[at + 4] = a % b;
    Out[at + 5] = u / v;
    Out[at + 6] = u % v;
    Out[at + 7] = a << b;
    Out[at + 8] = a >> b;
    Out[at + 9] = u >> v;
    Out[at + 10] = (a & b) | ~(a ^ b);
    Out[at + 11] = min(a, b);
    Out[at + 12] = max(a, b);
    Out[at + 13] = min(u, v);
    Out[at + 14] = max(u, v);
    Out[at + 15] = abs(a);
    Out[at + 16] = (int64_t)(float)a;
    Out[at + 17] = (uint64_t)(float)u;
    Out[at + 18] = (int64_t)(double)a;
    Out[at + 19] = (uint64_t)(double)u;
    Out[at + 20] = (int64_t)(int)a;
    Out[at + 21] = (uint64_t)(uint)u;
    Out[at + 22] = (a < b) + (u < v) * 2 + (a == b) * 4;
    Out[at + 23] = 0x123456789abcdefull ^ u;
    Out[at + 24] = mad(a, b, a);
    Out[at + 25] = countbits(u);
    Out[at + 26] = reversebits(u);
    Out[at + 27] = firstbitlow(u);
    Out[at + 28] = firstbithigh(u);
    Out[at + 29] = firstbithigh(a);
    Out[at + 30] = mad(u, v, u);
}
