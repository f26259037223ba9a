// trellis: cs_6_0 main
// ConstantBuffer<T> as an array, with constant, dynamic and non-uniform index.

struct Params { float4 a; uint b; float3 c[2]; };
ConstantBuffer<Params> Sets[6] : register(b2, space1);
ConstantBuffer<Params> One : register(b0);
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint3 group : SV_GroupID)
{
    uint i = In[id];
    float4 v = Sets[2].a + One.b;
    v += Sets[group.x].a;
    v.xyz += Sets[NonUniformResourceIndex(i)].c[i & 1];
    Out[id] = v;
}
