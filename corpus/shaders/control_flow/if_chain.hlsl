// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Twelve ifs in a row, each with a side effect.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define STEP(k) [branch] if (v & (1u << k)) { Out[id * 16 + k] = acc; acc = acc * 3 + k; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], acc = 1;
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5)
    STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)
    Out[id * 16 + 15] = acc;
}
