// trellis: cs_6_0 main
// trellis.raw: cs_6_2 main
// Structured buffers of nested structs with vectors, arrays and a matrix: whole and by field.

struct Inner { float2 uv; int kind; };
struct Outer
{
    float3 position;
    uint flags;
    Inner inner[2];
    float3x2 m;
    row_major float2x3 r;
};
StructuredBuffer<Outer> In : register(t0);
RWStructuredBuffer<Outer> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Outer o = In[id];
    o.position *= 2;
    o.flags ^= In[id + 1].inner[id & 1].kind;
    o.inner[1].uv = o.inner[0].uv.yx;
    o.m[1][0] += 1;
    o.r = mul(o.r, 3.0);
    Out[id] = o;
    Out[id + 64].inner[id & 1].kind = In[id].flags;
}
// ---- printed ----
// dxc -T cs_6_0 -E main
struct In_element {
    uint word[22];
};
struct Out_element {
    uint word[22];
};
StructuredBuffer<In_element> In : register(t0);
RWStructuredBuffer<Out_element> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID)
{
    float3 t0 = asfloat(uint3(In[dispatchThreadID.x].word[0], In[dispatchThreadID.x].word[1], In[dispatchThreadID.x].word[2]));
    uint t1 = In[dispatchThreadID.x].word[3];
    float2 t2 = asfloat(uint2(In[dispatchThreadID.x].word[4], In[dispatchThreadID.x].word[5]));
    uint t3 = In[dispatchThreadID.x].word[6];
    uint t4 = In[dispatchThreadID.x].word[9];
    float4 t5 = asfloat(uint4(In[dispatchThreadID.x].word[10], In[dispatchThreadID.x].word[11], In[dispatchThreadID.x].word[12], In[dispatchThreadID.x].word[13]));
    float2 t6 = asfloat(uint2(In[dispatchThreadID.x].word[14], In[dispatchThreadID.x].word[15]));
    float4 t7 = asfloat(uint4(In[dispatchThreadID.x].word[16], In[dispatchThreadID.x].word[17], In[dispatchThreadID.x].word[18], In[dispatchThreadID.x].word[19]));
    float2 t8 = asfloat(uint2(In[dispatchThreadID.x].word[20], In[dispatchThreadID.x].word[21]));
    uint t9 = (-(dispatchThreadID.x & 1) & 12 | 16) + 8;
    uint t10 = In[dispatchThreadID.x + 1].word[t9 / 4u];
    Out[dispatchThreadID.x].word[0] = asuint(t0.x * 2.0);
    Out[dispatchThreadID.x].word[1] = asuint(t0.y * 2.0);
    Out[dispatchThreadID.x].word[2] = asuint(t0.z * 2.0);
    Out[dispatchThreadID.x].word[3] = t10 ^ t1;
    Out[dispatchThreadID.x].word[4] = asuint(t2.x);
    Out[dispatchThreadID.x].word[5] = asuint(t2.y);
    Out[dispatchThreadID.x].word[6] = t3;
    Out[dispatchThreadID.x].word[7] = asuint(t2.y);
    Out[dispatchThreadID.x].word[8] = asuint(t2.x);
    Out[dispatchThreadID.x].word[9] = t4;
    Out[dispatchThreadID.x].word[10] = asuint(t5.x);
    Out[dispatchThreadID.x].word[11] = asuint(t5.y + 1.0);
    Out[dispatchThreadID.x].word[12] = asuint(t5.z);
    Out[dispatchThreadID.x].word[13] = asuint(t5.w);
    Out[dispatchThreadID.x].word[14] = asuint(t6.x);
    Out[dispatchThreadID.x].word[15] = asuint(t6.y);
    Out[dispatchThreadID.x].word[16] = asuint(t7.x * 3.0);
    Out[dispatchThreadID.x].word[17] = asuint(t7.y * 3.0);
    Out[dispatchThreadID.x].word[18] = asuint(t7.z * 3.0);
    Out[dispatchThreadID.x].word[19] = asuint(t7.w * 3.0);
    Out[dispatchThreadID.x].word[20] = asuint(t8.x * 3.0);
    Out[dispatchThreadID.x].word[21] = asuint(t8.y * 3.0);
    Out[dispatchThreadID.x + 64].word[t9 / 4u] = In[dispatchThreadID.x].word[3];
}
