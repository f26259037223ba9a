// trellis: cs_6_6 main
// Every kind of resource straight from the descriptor heaps (shader model 6.6).

struct Params { float4 a; uint b; };
cbuffer Indices : register(b0) { uint texture, image, raw, typed, structured, constants, smp, cmp; };

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Texture2D<float4> tex = ResourceDescriptorHeap[texture];
    RWTexture2D<float4> img = ResourceDescriptorHeap[image];
    RWByteAddressBuffer bytes = ResourceDescriptorHeap[raw];
    Buffer<float4> typedBuffer = ResourceDescriptorHeap[typed];
    RWStructuredBuffer<Params> items = ResourceDescriptorHeap[structured];
    ConstantBuffer<Params> params = ResourceDescriptorHeap[constants];
    SamplerState sampler_ = SamplerDescriptorHeap[smp];
    SamplerComparisonState compare = SamplerDescriptorHeap[cmp];
    Texture2D<float> depth = ResourceDescriptorHeap[texture + 1];
    float4 c = tex.SampleLevel(sampler_, id * 0.1, 0) + typedBuffer[id] + params.a;
    c += depth.SampleCmpLevelZero(compare, id * 0.2, 0.5);
    img[uint2(id, 0)] = c;
    items[id].a = c * items[id].b;
    bytes.Store(id * 4, asuint(c.x));
}
