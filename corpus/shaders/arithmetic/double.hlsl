// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Doubles: arithmetic, fma, minimum, absolute value, comparison, and casts to and from int and float.

StructuredBuffer<double> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);
RWStructuredBuffer<uint> Bits : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    double a = In[id], b = In[id + 1], c = In[id + 2];
    uint at = id * 16;
    Out[at + 0] = a + b;
    Out[at + 1] = a - b;
    Out[at + 2] = a * b;
    Out[at + 3] = a / b;
    Out[at + 4] = fma(a, b, c);
    Out[at + 5] = min(a, b);
    Out[at + 6] = max(a, b);
    Out[at + 7] = abs(a);
    Out[at + 8] = -a;
    Out[at + 9] = (double)(float)a;
    Out[at + 10] = (double)(int)b;
    Out[at + 11] = (double)(uint)c;
    Out[at + 12] = rcp(a);
    Out[at + 13] = mad(a, b, c);
    Out[at + 14] = saturate(a);
    Bits[id] = (a < b) + (a == b) * 2 + (a >= b) * 4 + (a != c) * 8;
}
