// trellis: cs_6_6 main
// Bitwise compare-exchanges of floats in textures and typed buffers, declared and of the heap.

RWTexture2D<float> T : register(u0);
RWBuffer<float> B : register(u1);
RWStructuredBuffer<float> Out : register(u2);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RWTexture2D<float> H = ResourceDescriptorHeap[4];
    uint2 at = uint2(id & 7, id >> 3);
    float old, sum = 0;
    InterlockedCompareExchangeFloatBitwise(T[at], 1.0, (float)id, old); sum += old;
    InterlockedCompareStoreFloatBitwise(B[id], 2.0, (float)id);
    InterlockedCompareExchangeFloatBitwise(H[at], 3.0, (float)id, old); sum += old;
    InterlockedExchange(T[at + uint2(8, 0)], (float)id, old); sum += old;
    H[at + uint2(8, 0)] = T[at] + B[id];
    Out[id] = sum + H[at];
}
