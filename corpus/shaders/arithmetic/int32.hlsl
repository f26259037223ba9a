// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// 32-bit integers: add to remainder, shifts, logic, minima, absolute value, multiply-add.

StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    int a = In[id], b = In[id + 1], c = In[id + 2];
    uint u = (uint)a, v = (uint)b, w = (uint)c;
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
    Out[at + 10] = a & b;
    Out[at + 11] = a | b;
    Out[at + 12] = a ^ b;
    Out[at + 13] = ~a;
    Out[at + 14] = -a;
    Out[at + 15] = min(a, b);
    Out[at + 16] = max(a, b);
    Out[at + 17] = min(u, v);
    Out[at + 18] = max(u, v);
    Out[at + 19] = abs(a);
    Out[at + 20] = sign(a);
    Out[at + 21] = mad(a, b, c);
    Out[at + 22] = mad(u, v, w);
    Out[at + 23] = clamp(a, b, c);
    Out[at + 24] = (a < b) + (a <= b) * 2 + (a == b) * 4 + (a > b) * 8 + (a >= b) * 16 + (a != b) * 32;
    Out[at + 25] = (u < v) + (u <= v) * 2 + (u > v) * 4 + (u >= v) * 8;
    Out[at + 26] = a << 5;
    Out[at + 27] = u / 7;
}
