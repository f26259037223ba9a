// trellis: cs_6_6 main
// 64-bit atomics on typed buffers and textures (shader model 6.6).

RWBuffer<uint64_t> B : register(u0);
RWTexture2D<uint64_t> T : register(u1);
RWTexture2D<int64_t> TI : register(u2);
RWStructuredBuffer<uint64_t> Out : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint64_t v = (uint64_t)id << 32 | id, old, sum = 0;
    int64_t o;
    uint2 at = uint2(id & 7, id >> 3);
    InterlockedAdd(B[id & 7], v);
    InterlockedExchange(B[id + 8], v, old); sum += old;
    InterlockedMax(T[at], v, old); sum += old;
    InterlockedMin(TI[at], (int64_t)v, o); sum += o;
    InterlockedCompareExchange(T[at + uint2(8, 0)], 7, v, old); sum += old;
    Out[id] = sum;
}
