// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Casts between bool, int, unsigned and float; bit casts; saturating and truncating forms.

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float f = In[id];
    int i = (int)f;
    uint u = (uint)f;
    bool b = (bool)f;
    uint at = id * 12;
    Out[at + 0] = i;
    Out[at + 1] = u;
    Out[at + 2] = b;
    Out[at + 3] = asuint(f);
    Out[at + 4] = asuint((float)i * 0.5);
    Out[at + 5] = asuint((float)u * 0.25);
    Out[at + 6] = asuint((float)b + f);
    Out[at + 7] = asuint(asfloat(u | 0x3f800000) - 1.0);
    Out[at + 8] = (bool)i ? 3 : 4;
    Out[at + 9] = (uint)(int)-f;
    Out[at + 10] = (int)b - 1;
}
