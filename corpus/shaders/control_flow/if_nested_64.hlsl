// trellis: cs_6_0 main
// Ifs nested sixty-four deep that all merge in one block.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define LEVEL(k, inner) [branch] if (In[id + (k)] & 1) { Out[id * 65 + (k)] += (k); inner }
#define LEVEL4(k, inner) LEVEL(k, LEVEL((k) + 1, LEVEL((k) + 2, LEVEL((k) + 3, inner))))
#define LEVEL16(k, inner) LEVEL4(k, LEVEL4((k) + 4, LEVEL4((k) + 8, LEVEL4((k) + 12, inner))))

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    LEVEL16(0, LEVEL16(16, LEVEL16(32, LEVEL16(48, Out[id * 65] = 1000;))))
    Out[id * 65 + 64] += 7;
}
