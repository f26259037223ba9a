// trellis: cs_6_0 main
// An else-if ladder of sixty-four arms whose conditions each read memory: it cannot become a switch.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define ARM(k) else if (In[id + (k)] & 1) { Out[id * 2] = (k); acc += (k) * 7; }
#define ARM4(k) ARM(k) ARM((k) + 1) ARM((k) + 2) ARM((k) + 3)
#define ARM16(k) ARM4(k) ARM4((k) + 4) ARM4((k) + 8) ARM4((k) + 12)

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [branch]
    if (In[id] == 99) { acc = 1; }
    ARM16(0) ARM16(16) ARM16(32) ARM16(48)
    Out[id * 2 + 1] = acc;
}
