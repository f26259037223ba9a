// trellis: cs_6_0 main
// Half of the group returns before a barrier: an error.
groupshared uint value;
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    if (Out[i] == 0)
        return;
    value = i;
    GroupMemoryBarrierWithGroupSync();
    Out[i] = value;
}
