// Buffers, shared memory, atomics, barriers, doubles, bit operations, a constant array.
// fxc: cs_5_0 main
// fxc.ranges: cs_5_1 main
struct Item { uint key; float3 value; };
StructuredBuffer<Item> items : register(t0);
ByteAddressBuffer bytes : register(t1);
Buffer<float4> typed : register(t2);
RWStructuredBuffer<uint> counts : register(u0);
RWByteAddressBuffer raw : register(u1);
AppendStructuredBuffer<Item> kept : register(u2);
globallycoherent RWTexture3D<uint> volume : register(u3);
groupshared uint histogram[64];
groupshared float3 sums[32];
static const float table[5] = {1, 0.5, 3e30, -2, 1e-40};

[numthreads(32, 2, 1)]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex, uint3 group : SV_GroupID) {
    Item item = items[id.x];
    if (index < 64) histogram[index] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint old;
    InterlockedAdd(histogram[item.key & 63], 1, old);
    InterlockedCompareExchange(counts[id.x], old, 7, old);
    InterlockedMax(volume[id], countbits(old) + firstbithigh(item.key));
    sums[index & 31] = item.value * table[old % 5];
    AllMemoryBarrierWithGroupSync();
    double d = asdouble(bytes.Load(4), bytes.Load(8));
    raw.Store2(id.x * 8, uint2(reversebits(old), f32tof16((float)(d * d + 1.5))));
    if (old / 3 > group.x) kept.Append(item);
    counts[id.y] = asuint(sums[0].x + typed[id.x].w) + histogram[63];
    volume[id.zyx] = 0x12345678;
}
