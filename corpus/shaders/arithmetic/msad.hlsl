// trellis: cs_6_0 main
// msad4: masked sums of absolute differences of bytes; its lowering also inserts bit fields.

StructuredBuffer<uint4> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint4 v = In[id];
    Out[id] = msad4(v.x, v.yz, In[id + 1]);
}
