// trellis: cs_6_0 main -force-rootsig-ver rootsig_1_0
// A root signature of version 1.0, with root UAV and SRV descriptors.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Constants : register(b0) { uint factor; };

[RootSignature("RootConstants(num32BitConstants=1, b0), SRV(t0), UAV(u0)")]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = In[id] * factor;
}
