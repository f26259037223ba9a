// trellis: cs_6_0 main
// Each of HLSL's six barriers: group, device and all memory, with and without waiting for the group.

RWStructuredBuffer<uint> Out : register(u0);
groupshared uint shared_value[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    shared_value[lane] = id;
    GroupMemoryBarrier();
    Out[id] = shared_value[lane ^ 1];
    DeviceMemoryBarrier();
    Out[id + 64] = Out[id ^ 1];
    AllMemoryBarrier();
    shared_value[lane] += Out[id];
    GroupMemoryBarrierWithGroupSync();
    Out[id + 128] = shared_value[lane ^ 2];
    DeviceMemoryBarrierWithGroupSync();
    Out[id + 192] = Out[(id ^ 3) + 128];
    AllMemoryBarrierWithGroupSync();
    Out[id + 256] = shared_value[lane ^ 4];
}
