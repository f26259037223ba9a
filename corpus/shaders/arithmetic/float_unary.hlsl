// trellis: cs_6_0 main
// trellis.half: cs_6_2 main -enable-16bit-types -DF=float16_t
// trellis.min: cs_6_0 main -DF=min16float
// Every intrinsic of one float that is one dx.op: trigonometry, rounding, exponentials, and the class tests.

#ifndef F
#define F float
#endif
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    F x = (F)In[id];
    uint at = id * 32;
    Out[at + 0] = abs(x);
    Out[at + 1] = saturate(x);
    Out[at + 2] = cos(x);
    Out[at + 3] = sin(x);
    Out[at + 4] = tan(x);
    Out[at + 5] = acos(x);
    Out[at + 6] = asin(x);
    Out[at + 7] = atan(x);
    Out[at + 8] = cosh(x);
    Out[at + 9] = sinh(x);
    Out[at + 10] = tanh(x);
    Out[at + 11] = exp2(x);
    Out[at + 12] = frac(x);
    Out[at + 13] = log2(x);
    Out[at + 14] = sqrt(x);
    Out[at + 15] = rsqrt(x);
    Out[at + 16] = round(x);
    Out[at + 17] = floor(x);
    Out[at + 18] = ceil(x);
    Out[at + 19] = trunc(x);
    Out[at + 20] = isnan(x);
    Out[at + 21] = isinf(x);
    Out[at + 22] = isfinite(x);
    Out[at + 23] = exp(x);
    Out[at + 24] = log(x);
    Out[at + 25] = log10(x);
    Out[at + 26] = sign(x);
    Out[at + 27] = rcp(x);
    Out[at + 28] = degrees(x);
    Out[at + 29] = -x;
}
