// trellis: cs_6_6 main -O3
// trellis.od: cs_6_6 main -Od
// Handles from the descriptor heap meet in phis: before a loop, and from one round of it to the next.

cbuffer Params : register(b0) { uint first, second, count; };
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Texture2D<float4> tex = ResourceDescriptorHeap[first];
    if (count > 3)
        tex = ResourceDescriptorHeap[second + id];
    [loop]
    for (uint i = 0; i < count; i++)
    {
        Out[id * 8 + i] = tex.Load(int3(id, i, 0));
        if (i & 4)
            tex = ResourceDescriptorHeap[i];
    }
}
