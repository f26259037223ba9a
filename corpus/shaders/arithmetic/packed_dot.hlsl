// trellis: cs_6_4 main -enable-16bit-types
// Dot products of packed bytes, signed and unsigned, and of half pairs, added to an accumulator.

StructuredBuffer<uint4> In : register(t0);
StructuredBuffer<half4> H : register(t1);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint4 v = In[id];
    Out[id * 3] = dot4add_i8packed(v.x, v.y, (int)v.z);
    Out[id * 3 + 1] = dot4add_u8packed(v.x, v.y, v.w);
    Out[id * 3 + 2] = dot2add(H[id].xy, H[id].zw, asfloat(v.z));
}
