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
