// trellis: cs_6_6 main -O3
// Buffers and samplers from the heaps that control flow chooses: a writable buffer, a constant buffer, a sampler.

struct Item { float4 value; uint next; };
cbuffer Params : register(b0) { uint which, steps; };
SamplerState Fixed : register(s0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    RWStructuredBuffer<Item> list = ResourceDescriptorHeap[which];
    SamplerState smp = SamplerDescriptorHeap[0];
    Texture2D<float> tex = ResourceDescriptorHeap[which + 1];
    [loop]
    for (uint i = 0; i < steps; i++)
    {
        Item item = list[id];
        item.value.x += tex.SampleLevel(smp, item.value.yz, 0);
        list[id] = item;
        [branch]
        if (item.next != 0)
        {
            list = ResourceDescriptorHeap[item.next];
            smp = SamplerDescriptorHeap[item.next & 3];
        }
    }
}
