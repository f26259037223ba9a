// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Ifs nested eight deep, with work after each inner one.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define LEVEL(k, inner) [branch] if (In[id + (k)] & 1) { Out[id * 9 + (k)] += acc; inner acc = acc * 5 + (k); }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    LEVEL(0, LEVEL(1, LEVEL(2, LEVEL(3, LEVEL(4, LEVEL(5, LEVEL(6, LEVEL(7, acc ^= 77;))))))))
    Out[id * 9 + 8] = acc;
}
