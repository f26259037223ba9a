// Atomic operations on buffers, textures, counters and groupshared memory.
// fxc: cs_5_0 main
RWByteAddressBuffer raw : register(u0);
struct S { uint a; int b; };
RWStructuredBuffer<S> structs : register(u1);
RWTexture2D<uint> image : register(u2);
RWBuffer<int> ints : register(u3);
AppendStructuredBuffer<uint> appended : register(u4);
ConsumeStructuredBuffer<uint> consumed : register(u5);
RWStructuredBuffer<uint> counted : register(u6);
groupshared uint words[64];
groupshared S shared_structs[16];
[numthreads(16, 1, 1)]
void main(uint3 t : SV_DispatchThreadID, uint g : SV_GroupIndex)
{
    uint old, i = t.x;
    words[g] = i; words[g + 16] = 0; words[g + 32] = 7; words[g + 48] = i * i;
    shared_structs[g].a = 1; shared_structs[g].b = -(int)g;
    GroupMemoryBarrierWithGroupSync();
    raw.InterlockedAdd(4, i, old);
    raw.InterlockedMax(8, i);
    raw.InterlockedCompareExchange(12, 0, i, old);
    raw.InterlockedCompareStore(16, old, 5);
    InterlockedAnd(structs[1].a, ~(1u << g));
    InterlockedMin(structs[i & 3].b, -(int)i);
    InterlockedXor(image[uint2(i & 3, 1)], i);
    InterlockedExchange(image[uint2(0, 2)], i, old);
    InterlockedMin(ints[2], (int)i - 4);
    InterlockedOr(words[(g + 1) & 63], 0x100);
    InterlockedAdd(shared_structs[g & 7].a, g, old);
    InterlockedMax(shared_structs[15 - g].b, (int)old);
    InterlockedCompareExchange(words[48], 0, 99, old);
    AllMemoryBarrierWithGroupSync();
    appended.Append(words[g] + shared_structs[g].a);
    uint c = consumed.Consume();
    uint n = counted.IncrementCounter();
    counted[n] = c + shared_structs[g].b + words[48 + (g & 1)];
    DeviceMemoryBarrier();
}
