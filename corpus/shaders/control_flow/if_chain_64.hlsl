// trellis: cs_6_0 main
// Sixty-four ifs in a row, each with a side effect: for the growth of cost.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define STEP(k) [branch] if (In[id + (k)] & 1) { Out[id * 65 + (k)] = acc; acc = acc * 3 + (k); }
#define STEP4(k) STEP(k) STEP((k) + 1) STEP((k) + 2) STEP((k) + 3)
#define STEP16(k) STEP4(k) STEP4((k) + 4) STEP4((k) + 8) STEP4((k) + 12)

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 1;
    STEP16(0) STEP16(16) STEP16(32) STEP16(48)
    Out[id * 65 + 64] = acc;
}
