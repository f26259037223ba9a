// trellis: cs_6_0 main
// A group of 1024 threads, and 32 KB of groupshared memory.

RWStructuredBuffer<uint4> Out : register(u0);
groupshared uint4 all_values[2048];

[numthreads(32, 8, 4)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    all_values[lane] = uint4(id, lane);
    all_values[lane + 1024] = lane * 3;
    GroupMemoryBarrierWithGroupSync();
    Out[lane] = all_values[1023 - lane] + all_values[2047 - lane];
}
