// trellis: cs_6_6 main
// A root signature whose flags allow indexing the descriptor heaps (shader model 6.6).

cbuffer Constants : register(b0) { uint input, output; };

[RootSignature("RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | SAMPLER_HEAP_DIRECTLY_INDEXED), RootConstants(num32BitConstants=2, b0)")]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    StructuredBuffer<uint> In = ResourceDescriptorHeap[input];
    RWStructuredBuffer<uint> Out = ResourceDescriptorHeap[output];
    Out[id] = In[id] + 1;
}
