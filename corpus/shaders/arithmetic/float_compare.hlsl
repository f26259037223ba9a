// trellis: cs_6_0 main
// All float comparisons, also against NaN, kept as values and as conditions.

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float a = In[id], b = In[id + 1];
    uint bits = 0;
    bits |= a == b ? 1 : 0;
    bits |= a != b ? 2 : 0;
    bits |= a < b ? 4 : 0;
    bits |= a <= b ? 8 : 0;
    bits |= a > b ? 16 : 0;
    bits |= a >= b ? 32 : 0;
    bits |= !(a < b) ? 64 : 0;
    bits |= !(a >= b) ? 128 : 0;
    bits |= (a < b && b < 4.0) ? 256 : 0;
    bits |= (a < b || b != b) ? 512 : 0;
    bits |= !(a == b) ? 1024 : 0;
    Out[id] = bits;
}
