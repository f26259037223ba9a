// trellis: ps_6_6 main
// Shader model 6.6's handles from bindings, annotated: textures, arrays, samplers, buffers, counters.

struct Item { float4 a; };
Texture2D<float4> One : register(t0);
Texture2D<float4> Many[5] : register(t1);
Texture3D<int4> Volume : register(t6);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);
Texture2D<float> Depth : register(t7);
StructuredBuffer<Item> Items : register(t8);
AppendStructuredBuffer<Item> Sink : register(u1);
cbuffer Params : register(b0) { uint which; };

float4 main(float2 uv : TEXCOORD0, nointerpolation uint n : INDEX) : SV_Target
{
    float4 c = One.Sample(Smp, uv) + Many[which].Sample(Smp, uv) + Many[NonUniformResourceIndex(n)].Sample(Smp, uv);
    c += Depth.SampleCmp(Cmp, uv, 0.5) + Items[n].a + Volume.Load(int4(n, n, n, 0));
    Item item = { c };
    Sink.Append(item);
    return c;
}
