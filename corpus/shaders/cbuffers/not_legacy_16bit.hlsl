// trellis: cs_6_2 main -not_use_legacy_cbuf_load -enable-16bit-types
// CBufferLoad of 16-bit and 64-bit fields.

cbuffer Params : register(b0) { half a; uint16_t b; half3 c; uint64_t d; double e; };
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = a + b + c.y + (float)d + (float)e;
}
