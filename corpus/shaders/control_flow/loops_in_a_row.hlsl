// trellis: cs_6_0 main
// Eight loops in a row, each with a break.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define LOOP(k) [loop] for (uint i##k = 0; i##k < (acc & 15); i##k++) { if (In[i##k + k] == acc) break; Out[id * 8 + k] += acc; } acc = acc * 5 + k;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = In[id];
    LOOP(0) LOOP(1) LOOP(2) LOOP(3) LOOP(4) LOOP(5) LOOP(6) LOOP(7)
    Out[id + 600] = acc;
}
