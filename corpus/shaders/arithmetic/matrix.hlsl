// trellis: cs_6_0 main
// Matrix products, transposition, determinant and element access by dynamic index.

StructuredBuffer<float4x4> In : register(t0);
RWStructuredBuffer<float4x4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4x4 a = In[id], b = In[id + 1];
    float4x4 c = mul(a, b);
    c += transpose(a) * determinant((float3x3)b);
    c[id & 3] = mul(a, c[(id + 1) & 3]);
    c._m03_m12 = a._11_22;
    Out[id] = c;
}
