// trellis: cs_6_0 main
// Column-major and row-major matrices in structured buffers, read whole, by row and by element.

struct Pair { float4x3 c; row_major float4x3 r; float2x2 small[2]; };
StructuredBuffer<Pair> In : register(t0);
RWStructuredBuffer<Pair> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Pair p = In[id];
    p.c = p.r * 2;
    p.r[id & 3] = In[id + 1].c[(id + 1) & 3];
    p.small[id & 1]._m01 = p.small[1]._m10;
    Out[id] = p;
}
