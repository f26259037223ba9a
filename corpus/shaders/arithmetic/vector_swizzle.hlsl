// trellis: cs_6_0 main
// Vector swizzles, writes through swizzles, dynamic component index, any and all.

StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4 a = In[id], r = a.wzyx;
    r.yz = a.xx * 2;
    r[id & 3] = a[(id >> 2) & 3];
    if (any(a > r) && !all(a.xy == r.zw))
        r.w = dot(a, 1);
    Out[id] = r;
}
