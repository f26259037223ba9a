// trellis: cs_6_6 main
// 64-bit atomics on typed buffers and textures of the descriptor heap, next to one of 32 bits: their
// views have the same properties in DXIL.

RWStructuredBuffer<uint64_t> Out : register(u0);

cbuffer Params : register(b0) { uint chosen; };

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RWBuffer<uint64_t> B = ResourceDescriptorHeap[1];
    RWTexture2D<uint64_t> T = ResourceDescriptorHeap[chosen];
    RWTexture2D<uint> W = ResourceDescriptorHeap[3];
    uint64_t v = (uint64_t)id << 32 | id, old, sum = 0;
    uint2 at = uint2(id & 7, id >> 3);
    InterlockedAdd(B[id & 7], v);
    InterlockedExchange(B[id + 8], v, old); sum += old;
    InterlockedMax(T[at], v, old); sum += old;
    InterlockedCompareExchange(T[at + uint2(8, 0)], 7, v, old); sum += old;
    InterlockedOr(W[at], id);
    Out[id] = sum + T[at] + B[id + 8];
}
