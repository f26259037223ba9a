// trellis: cs_6_2 main -enable-16bit-types
// Quad reads of 16-bit, 64-bit and double values.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint lane : SV_GroupIndex)
{
    uint v = In[lane];
    half h = (half)v;
    uint16_t s = (uint16_t)v;
    uint64_t l = (uint64_t)v << 20;
    double d = v * 0.5;
    Out[lane * 2] = QuadReadAcrossX(h) + QuadReadAcrossY(s) + (double)QuadReadAcrossDiagonal(l) + QuadReadAcrossX(d);
    Out[lane * 2 + 1] = QuadReadLaneAt(h, 1) + QuadReadLaneAt(s, 2) + (double)QuadReadLaneAt(l, 3) + QuadReadLaneAt(d, 0) + QuadReadLaneAt(v > 7, 1);
}
