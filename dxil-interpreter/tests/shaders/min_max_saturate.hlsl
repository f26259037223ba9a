// trellis: cs_6_0 main
// Of a number and NaN, min and max give the number; saturate takes NaN to 0.
StructuredBuffer<float2> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    float2 v = In[i];
    Out[i] = float4(min(v.x, v.y), max(v.x, v.y), saturate(v.x), abs(v.y));
}
