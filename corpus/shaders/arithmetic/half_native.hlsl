// trellis: cs_6_2 main -enable-16bit-types
// Native half floats: casts from and to everything, bit casts, comparison, vectors.

StructuredBuffer<half4> In : register(t0);
RWStructuredBuffer<half4> Out : register(u0);
RWStructuredBuffer<int4> Ints : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    half4 a = In[id], b = In[id + 1];
    Out[id * 4] = a * b + (half)1.5;
    Out[id * 4 + 1] = half4((half)id, (half)(int)id, (half)(float)id, asfloat16((uint16_t)id));
    Out[id * 4 + 2] = select(a < b, a, b.wzyx);
    Out[id * 4 + 3] = (half4)(uint16_t4)a + (half4)(int16_t4)b;
    Ints[id * 2] = int4((int)a.x, (uint)a.y, asint16(a.z), asuint16(a.w));
    Ints[id * 2 + 1] = int4(a > b);
}
