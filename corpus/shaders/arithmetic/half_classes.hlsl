// trellis: cs_6_2 main -enable-16bit-types
// Comparisons of half floats, ordered and not, and the class tests.

StructuredBuffer<half2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    half a = In[id].x, b = In[id].y;
    Out[id] = (a < b) + (a <= b) * 2 + (a == b) * 4 + (a != b) * 8 + isnan(a) * 16 + isinf(b) * 32 + !(a >= b) * 64
            + isfinite(a) * 128;
}
