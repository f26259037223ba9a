// trellis.reflection: cs_6_0 main -Qstrip_reflect
// trellis.reflection66: cs_6_6 main -Qstrip_reflect
// trellis.root_signature: cs_6_0 main -Qstrip_rootsignature
// Containers with parts left out: no names from reflection, or no root signature.

cbuffer Params : register(b0) { uint factor; };

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[RootSignature("CBV(b0), SRV(t0), UAV(u0)")]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = In[id] * factor;
}
