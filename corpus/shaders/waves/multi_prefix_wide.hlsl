// trellis: cs_6_5 main -enable-16bit-types
// WaveMatch and multi-prefix operations of 16-bit, 64-bit and double values.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    half h = (half)v;
    uint16_t s = (uint16_t)v;
    int64_t l = (int64_t)v << 20;
    double d = v * 0.5;
    uint4 mask = WaveMatch(h) & WaveMatch(s) & WaveMatch(l) & WaveMatch(d);
    Out[id] = WaveMultiPrefixSum(h, mask) + WaveMultiPrefixProduct(s, mask) + (double)WaveMultiPrefixSum(l, mask)
            + WaveMultiPrefixProduct(d, mask) + (double)WaveMultiPrefixBitXor(l, mask) + WaveMultiPrefixBitOr(s, mask);
}
