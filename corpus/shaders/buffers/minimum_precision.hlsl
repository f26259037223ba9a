// trellis: cs_6_0 main
// Minimum-precision fields in structured buffers: stored as 32 bits.

struct Small { min16float3 a; min16int b; min16uint4 c; };
StructuredBuffer<Small> In : register(t0);
RWStructuredBuffer<Small> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Small s = In[id];
    s.a *= (min16float)2;
    s.b += (min16int)s.c.x;
    s.c = s.c.yxwz;
    Out[id] = s;
}
