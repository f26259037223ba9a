// trellis: cs_6_2 main -enable-16bit-types
// Local arrays of 16-bit, 64-bit and boolean elements.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    half h[6];
    double d[6];
    int64_t l[6];
    bool b[6];
    uint16_t s[6];
    [loop]
    for (uint i = 0; i < 6; i++)
    {
        uint v = In[id + i];
        h[i] = (half)v;
        d[i] = v * 0.25;
        l[i] = (int64_t)v << 33;
        b[i] = v & 1;
        s[i] = (uint16_t)v;
    }
    uint k = In[id] % 6;
    Out[id] = h[k] + d[k] + (double)l[k] + (b[k] ? 1 : 2) + s[k];
}
