// trellis: cs_6_8 main
// Barriers of memory types and of resources with their scopes (shader model 6.8).

RWByteAddressBuffer Out : register(u0);
globallycoherent RWTexture2D<uint> T : register(u1);

groupshared uint shared_words[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex)
{
    shared_words[id] = id * 3;
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    Out.Store(4 * id, shared_words[63 - id]);
    Barrier(Out, DEVICE_SCOPE);
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    T[uint2(id, 0)] = Out.Load(4 * (63 - id));
    Barrier(T, GROUP_SYNC | GROUP_SCOPE);
    Out.Store(256 + 4 * id, T[uint2(id ^ 1, 0)]);
    Barrier(ALL_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    Out.Store(512 + 4 * id, Out.Load(256 + 4 * (id ^ 2)));
    Barrier(UAV_MEMORY, 0);
}
