// trellis: cs_6_0 main
// Intrinsics with several results or of several operations: modf, sincos, frexp, lit, dst, faceforward, and others.

StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4 v = In[id], whole, s, c, e;
    float4 part = modf(v, whole);
    sincos(v, s, c);
    float4 mantissa = frexp(v, e);
    Out[id * 6] = part + whole * 2;
    Out[id * 6 + 1] = s * c;
    Out[id * 6 + 2] = mantissa + e;
    Out[id * 6 + 3] = lit(v.x, v.y, v.z) + dst(v, s);
    Out[id * 6 + 4] = float4(faceforward(v.xyz, s.xyz, c.xyz), distance(v, s));
    Out[id * 6 + 5] = D3DCOLORtoUBYTE4(saturate(v)) + radians(v) + sinh(v) + exp(c);
}
