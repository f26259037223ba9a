// trellis: cs_6_0 main
// trellis.half: cs_6_2 main -enable-16bit-types -DF=float16_t
// trellis.min: cs_6_0 main -DF=min16float
// Operations of two and three floats, with and without the fast flags (precise).

#ifndef F
#define F float
#endif
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    F a = (F)In[id], b = (F)In[id + 1], c = (F)In[id + 2];
    uint at = id * 20;
    Out[at + 0] = a + b;
    Out[at + 1] = a - b;
    Out[at + 2] = a * b;
    Out[at + 3] = a / b;
    Out[at + 4] = fmod(a, b);
    Out[at + 5] = min(a, b);
    Out[at + 6] = max(a, b);
    Out[at + 7] = mad(a, b, c);
    Out[at + 8] = lerp(a, b, c);
    Out[at + 9] = clamp(a, b, c);
    Out[at + 10] = pow(a, b);
    Out[at + 11] = step(a, b);
    Out[at + 12] = smoothstep(a, b, c);
    Out[at + 13] = atan2(a, b);
    precise F p = a * b + c;
    Out[at + 14] = p;
    precise F q = (a - b) / c;
    Out[at + 15] = q;
    Out[at + 16] = ldexp(a, b);
}
