// Buffers of the descriptor heap by indices that may be beyond it.

cbuffer Indices : register(b0) { uint4 indices; };
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    StructuredBuffer<uint> numbers = ResourceDescriptorHeap[NonUniformResourceIndex(indices[id])];
    Out[id] = numbers[0];
}
