// trellis: cs_6_2 main -enable-16bit-types
// Casts between 16, 32 and 64 bits of every kind: truncation, extension with and without sign, float to double.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    half h = (half)asfloat(v);
    int16_t s = (int16_t)v;
    uint16_t us = (uint16_t)v;
    int64_t l = (int64_t)v << 20 | s;
    uint64_t ul = (uint64_t)v * 12345;
    double d = asdouble(v, In[id + 1]);
    uint at = id * 16;
    Out[at + 0] = (double)h + (double)s + (double)us;
    Out[at + 1] = (double)(half)d + (double)(half)l + (double)(half)ul;
    Out[at + 2] = (double)(int16_t)d + (double)(uint16_t)d;
    Out[at + 3] = (double)(int64_t)h + (double)(uint64_t)h;
    Out[at + 4] = (double)(int64_t)s + (double)(uint64_t)us + (double)(int64_t)us;
    Out[at + 5] = (double)(int16_t)l + (double)(uint16_t)ul;
    Out[at + 6] = (double)(float)l + (double)(float)ul;
    Out[at + 7] = (bool)d + (bool)l + (bool)h + (bool)s;
    Out[at + 8] = (double)(v > 5) + (half)(v > 6) + (double)(int64_t)(v > 7) + (int16_t)(v > 8);
}
