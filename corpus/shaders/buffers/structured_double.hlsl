// trellis: cs_6_0 main
// Doubles and 64-bit integers in structured buffers before shader model 6.2: words put together.

struct Wide { double a; int64_t b; double2 c; };
StructuredBuffer<Wide> In : register(t0);
RWStructuredBuffer<Wide> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Wide w = In[id];
    w.a += w.c.y;
    w.b *= 3;
    Out[id] = w;
}
