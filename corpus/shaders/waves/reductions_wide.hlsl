// trellis: cs_6_2 main -enable-16bit-types
// Wave reductions and scans of 16-bit, 64-bit and double values.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    half h = (half)v;
    int16_t s = (int16_t)v;
    uint64_t l = (uint64_t)v << 20;
    double d = v * 0.5;
    uint at = id * 16;
    Out[at + 0] = WaveActiveSum(h) + WaveActiveMax(h) + WavePrefixSum(h) + WavePrefixProduct(h);
    Out[at + 1] = WaveActiveSum(s) + WaveActiveMin(s) + WavePrefixSum(s) + WaveActiveProduct(s);
    Out[at + 2] = (double)(WaveActiveSum(l) + WaveActiveMin(l) + WavePrefixSum(l) + WaveActiveProduct(l));
    Out[at + 3] = WaveActiveSum(d) + WaveActiveMax(d) + WavePrefixSum(d) + WavePrefixProduct(d);
    Out[at + 4] = (double)(WaveActiveBitAnd(l) + WaveActiveBitOr(l) + WaveActiveBitXor(l));
    Out[at + 6] = WaveReadLaneFirst(h) + WaveReadLaneFirst(s) + (double)WaveReadLaneFirst(l) + WaveReadLaneFirst(d);
    Out[at + 7] = WaveReadLaneAt(h, 1) + WaveReadLaneAt(s, 2) + (double)WaveReadLaneAt(l, 3) + WaveReadLaneAt(d, 0);
    Out[at + 8] = WaveActiveAllEqual(h) + WaveActiveAllEqual(s) * 2 + WaveActiveAllEqual(l) * 4 + WaveActiveAllEqual(d) * 8;
}
