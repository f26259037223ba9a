// trellis: cs_6_2 main -enable-16bit-types
// 16-bit types: a half rounds after each operation, a short wraps.
StructuredBuffer<half> In : register(t0);
RWStructuredBuffer<half> Out : register(u0);
StructuredBuffer<uint16_t> Ints : register(t1);
RWStructuredBuffer<uint16_t> Wrapped : register(u1);

[numthreads(2, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = In[i] + (half)1.0;
    Wrapped[i] = Ints[i] * (uint16_t)3;
}
