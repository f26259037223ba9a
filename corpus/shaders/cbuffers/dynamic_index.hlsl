// trellis: cs_6_0 main
// Constant-buffer arrays with an index that only the shader knows.

struct Light { float3 position; float range; uint2 mask; };
cbuffer Lights : register(b0)
{
    uint count;
    Light lights[16];
    uint table[32];
};
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Light l = lights[In[id] & 15];
    Out[id] = float4(l.position, l.range) + table[l.mask.y & 31] + (l.mask.x & count);
}
