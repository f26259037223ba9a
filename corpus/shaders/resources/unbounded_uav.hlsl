// trellis: cs_6_0 main
// trellis.sm66: cs_6_6 main
// Unbounded and bounded arrays of UAVs: textures, typed, raw, structured with atomics.

RWTexture2D<float4> Images[] : register(u0, space1);
RWStructuredBuffer<uint> Counters[4] : register(u2);
RWByteAddressBuffer Bytes[] : register(u0, space2);
RWBuffer<uint> Typed[3] : register(u8);
StructuredBuffer<uint> In : register(t0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint i = In[id], old;
    Images[NonUniformResourceIndex(i)][uint2(id, i)] = i;
    InterlockedAdd(Counters[NonUniformResourceIndex(i & 3)][0], 1, old);
    Bytes[i >> 4].Store(id * 4, old);
    Typed[i % 3][id] = Counters[1][id];
}
