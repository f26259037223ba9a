// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Ten ifs in a row, each of which may return.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define STEP(k) Out[id * 16 + k] = acc; [branch] if (In[id + k] == k) { Out[id * 16 + 15] = acc; return; } acc += In[id + k];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9)
    Out[id * 16 + 14] = acc;
}
