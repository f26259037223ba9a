// trellis: cs_6_0 main
// trellis.half: cs_6_2 main -enable-16bit-types -DF=float16_t
// Constants that need exact encoding: infinities, NaN, negative zero, denormals, the extremes.

#ifndef F
#define F float
#endif
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    F x = (F)In[id];
    Out[id * 8 + 0] = x > 1 ? (F)(1.0 / 0.0) : (F)-(1.0 / 0.0);
    Out[id * 8 + 1] = x > 2 ? (F)(0.0 / 0.0) : (F)-0.0;
    Out[id * 8 + 2] = x > 3 ? (F)1e-7 : (F)6e-8;
    Out[id * 8 + 3] = x > 4 ? (F)65504 : (F)-65504;
    Out[id * 8 + 4] = x > 5 ? asfloat(0x7f7fffff) : asfloat(1);
    Out[id * 8 + 5] = x > 6 ? asfloat(0x7fc12345) : asfloat(0x80000000);
}
