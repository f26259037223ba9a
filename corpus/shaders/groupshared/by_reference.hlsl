// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Groupshared arrays and elements passed to functions by reference, and an array chosen by a condition.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint a[64];
groupshared uint b[64];

void bump(inout uint v, uint by) { v += by; }
uint pick(uint values[64], uint i) { return values[i & 63]; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    a[lane] = In[id];
    b[lane] = id;
    bump(a[lane], 3);
    GroupMemoryBarrierWithGroupSync();
    uint v = pick(a, lane + 1);
    if (v & 1)
        v += b[(lane + 2) & 63];
    Out[id] = v;
}
