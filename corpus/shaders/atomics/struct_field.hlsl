// trellis: cs_6_0 main
// Atomics on a field of a structured buffer's element, by dynamic index, in a pixel-shader-free histogram.

struct Bin { uint count; int extremes[2]; };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<Bin> Bins : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    InterlockedAdd(Bins[v & 15].count, 1);
    InterlockedMin(Bins[v & 15].extremes[0], (int)v);
    InterlockedMax(Bins[v & 15].extremes[v >> 4 & 1], (int)v);
}
