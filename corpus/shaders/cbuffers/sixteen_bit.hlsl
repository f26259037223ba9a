// trellis: cs_6_2 main -enable-16bit-types
// Constant buffers with 16-bit fields: eight to a row.

cbuffer Params : register(b0)
{
    half a;
    half3 b;
    uint16_t2 c;
    half d[3];
    int16_t4 e;
    float f;
    half2x2 g;
};
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = a + b.z + c.y + d[In[id] % 3] + e.w + f + g[1][0];
}
