// trellis.sm60: cs_6_0 main
// trellis.sm61: cs_6_1 main
// trellis.sm62: cs_6_2 main
// trellis.sm63: cs_6_3 main
// trellis.sm64: cs_6_4 main
// trellis.sm65: cs_6_5 main
// trellis.sm66: cs_6_6 main
// trellis.sm67: cs_6_7 main
// One shader in every shader model: how handles, buffer accesses and metadata change.

cbuffer Params : register(b0) { uint factor; float4 offset; };
Texture2D<float4> Tex : register(t1);
SamplerState Smp : register(s0);
ByteAddressBuffer Raw : register(t2);
RWStructuredBuffer<float4> Items : register(u1);

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id] * factor + Raw.Load(id * 4);
    Items[id] = Tex.SampleLevel(Smp, v * 0.01, 0) + offset;
    Out[id] = v;
}
