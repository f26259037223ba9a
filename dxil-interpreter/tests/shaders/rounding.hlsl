// trellis: cs_6_0 main
// round takes ties to the even number; floor, ceil, trunc and frac as their names say.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
RWStructuredBuffer<float> Fraction : register(u1);

[numthreads(4, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    float v = In[i];
    Out[i] = float4(round(v), floor(v), ceil(v), trunc(v));
    Fraction[i] = frac(v);
}
