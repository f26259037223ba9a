// trellis: cs_6_0 main
// AGS: conversions from and to floats of 8 bits; each code comes back.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint Convert(uint immediate, uint value)
{
    uint result;
    Intrinsics.InterlockedCompareExchange(5u << 28 | immediate << 8 | 0x36, value, 0, result);
    return result;
}

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint2 v = In[id];
    uint base = id * 7;
    Out[base + 0] = Convert(0, v.x);         // from E4M3
    Out[base + 1] = Convert(1, v.x);         // from E5M2
    Out[base + 2] = Convert(2, v.y);         // to E4M3
    Out[base + 3] = Convert(3, v.y);         // to E5M2
    Out[base + 4] = Convert(0x102, v.y);     // saturated
    Out[base + 5] = Convert(0x103, v.y);
    uint lost = 0;
    for (uint i = 0; i < 16; i++)
    {
        uint code = id * 16 + i;
        lost += Convert(2, Convert(0, code)) != code;
        lost += (code & 0x7F) <= 0x7C && Convert(3, Convert(1, code)) != code;
    }
    Out[base + 6] = lost;
}
