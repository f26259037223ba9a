// trellis: cs_6_0 main -Vd
// A function that is not to be inlined and is called with elements of two groupshared arrays and of a local one.

groupshared uint First[64];
groupshared uint Second[64];
RWStructuredBuffer<uint> Out : register(u0);

[noinline]
void mix(inout uint x, uint by)
{
    x = (x ^ by) * 0x9E3779B1;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex)
{
    uint own[4];
    for (uint i = 0; i < 4; i++)
        own[i] = i + id;
    First[id] = id;
    Second[id] = id * 3;
    GroupMemoryBarrierWithGroupSync();
    mix(First[id], 1);
    mix(Second[63 - id], own[id & 3]);
    mix(own[id & 3], 7);
    GroupMemoryBarrierWithGroupSync();
    Out[id] = First[id ^ 1] + Second[id] + own[(id + 1) & 3] + own[id & 3];
}
