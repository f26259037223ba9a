// trellis: cs_6_0 main
// AGS: lanes, ballots, swizzles, reductions and scans, minima and medians of three, conversions.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint Intrinsic(uint operation, uint immediate, uint phase, uint first, uint second)
{
    uint result;
    uint code = 5u << 28 | phase << 24 | immediate << 8 | operation;
    Intrinsics.InterlockedCompareExchange(code, first, second, result);
    return result;
}

uint OfThree(uint operation, uint a, uint b, uint c)
{
    uint first = Intrinsic(operation, 0, 0, a, b);
    return Intrinsic(operation, 0, 1, c, first);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], lane = Intrinsic(0x03, 0, 0, 0, 0);
    float f = (float)v * 0.5;
    uint base = id * 24;
    Out[base + 0] = Intrinsic(0x01, 0, 0, v, 0);                 // first lane
    Out[base + 1] = Intrinsic(0x02, 2, 0, v, 0);                 // lane 2
    Out[base + 2] = Intrinsic(0x1D, 0, 0, v, lane ^ 1);          // a computed lane
    Out[base + 3] = Intrinsic(0x04, 0x041F, 0, v, 0);            // pairs exchanged
    Out[base + 4] = Intrinsic(0x04, 0x8000 | 0x1B, 0, v, 0);     // a quad reversed
    Out[base + 5] = Intrinsic(0x05, 0, 0, v & 1, 0);             // ballot
    Out[base + 6] = Intrinsic(0x05, 0, 1, v & 1, 0);
    Out[base + 7] = Intrinsic(0x06, 0, 0, 0xF5F3, 0x11);         // bits before the lane
    Out[base + 8] = OfThree(0x07, v, id, 20);
    Out[base + 9] = OfThree(0x08, asuint(f), asuint(-1.5), asuint(2.25));
    Out[base + 10] = OfThree(0x09, v, id, 20);
    Out[base + 11] = OfThree(0x0A, asuint(f), asuint(-1.5), asuint(2.25));
    Out[base + 12] = OfThree(0x0B, v, id, 20);
    Out[base + 13] = OfThree(0x0C, asuint(f), asuint(-1.5), asuint(2.25));
    Out[base + 14] = Intrinsic(0x12, 0x03, 0, v, 0);             // sum
    Out[base + 15] = Intrinsic(0x12, 0x0C, 0, v, 0);             // unsigned maximum
    Out[base + 16] = Intrinsic(0x12, 0x0F, 0, v, 0);             // exclusive or
    Out[base + 17] = Intrinsic(0x12, 0x01, 0, asuint(f), 0);     // sum of floats
    Out[base + 18] = Intrinsic(0x13, 0x0103, 0, v, 0);           // inclusive sum
    Out[base + 19] = Intrinsic(0x13, 0x0203, 0, v, 0);           // exclusive sum
    Out[base + 20] = Intrinsic(0x13, 0x010B, 0, v - 9, 0);       // inclusive signed maximum
    Out[base + 21] = Intrinsic(0x19, 0, 0, 0, 0);                // lanes of a wave
    float g = (float)v * 1.0003 - 7;
    Out[base + 22] = Intrinsic(0x1C, 2, 0, asuint(g), 0);        // the half below
    Out[base + 23] = Intrinsic(0x1C, 3, 0, asuint(g), 0);        // the half above
}
