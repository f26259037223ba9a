// trellis: cs_6_0 main -not_use_legacy_cbuf_load
// Constant buffers read by byte offset (CBufferLoad) rather than by row.

cbuffer Params : register(b0) { float a; int b; float3 c; uint d[4]; double e; };
RWStructuredBuffer<float> Out : register(u0);
StructuredBuffer<uint> In : register(t0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = a + b + c.y + d[In[id] & 3] + (float)e;
}
