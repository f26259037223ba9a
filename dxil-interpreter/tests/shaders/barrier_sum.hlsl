// trellis: cs_6_0 main
// A sum over a group by halves, through groupshared memory and barriers in a loop.
groupshared uint parts[128];
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(128, 1, 1)]
void main(uint i : SV_GroupIndex, uint group : SV_GroupID) {
    parts[i] = i + group;
    GroupMemoryBarrierWithGroupSync();
    for (uint half = 64; half > 0; half /= 2) {
        if (i < half)
            parts[i] += parts[i + half];
        GroupMemoryBarrierWithGroupSync();
    }
    if (i == 0)
        Out[group] = parts[0];
}
