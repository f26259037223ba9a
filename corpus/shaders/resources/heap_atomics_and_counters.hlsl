// trellis: cs_6_6 main
// Atomics on heap resources: 32 and 64 bits, textures and buffers.

cbuffer Params : register(b0) { uint buffer, image, raw; };

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RWStructuredBuffer<uint64_t> S = ResourceDescriptorHeap[buffer];
    RWTexture2D<uint> T = ResourceDescriptorHeap[image];
    RWByteAddressBuffer R = ResourceDescriptorHeap[raw];
    uint64_t old;
    uint o;
    InterlockedAdd(S[0], (uint64_t)id, old);
    InterlockedMax(T[uint2(id, 0)], id, o);
    R.InterlockedAdd(id * 4, (uint)old + o);
}
