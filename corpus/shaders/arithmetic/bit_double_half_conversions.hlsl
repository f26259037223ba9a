// trellis: cs_6_0 main
// Doubles made of and split into words; half floats packed in integers.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    double d = asdouble(In[id], In[id + 1]);
    d = d * 3.0 + 1.5;
    uint lo, hi;
    asuint(d, lo, hi);
    Out[id * 4] = lo;
    Out[id * 4 + 1] = hi;
    float h = f16tof32(In[id + 2]);
    Out[id * 4 + 2] = f32tof16(h * 2.0);
    uint2 two = f32tof16(f16tof32(In[id + 3].xx) + float2(1, 2));
    Out[id * 4 + 3] = two.x | two.y << 16;
}
