// trellis: cs_6_6 main
// A heap resource chosen by a condition, and in a loop: the index is chosen, or handles meet in a phi.

cbuffer Params : register(b0) { uint first, second, count; };
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4 sum = 0;
    [loop]
    for (uint i = 0; i < count; i++)
    {
        Texture2D<float4> tex = ResourceDescriptorHeap[(i & 1) ? first + i : second];
        sum += tex.Load(int3(id, i, 0));
    }
    Out[id] = sum;
}
