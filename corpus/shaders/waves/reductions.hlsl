// trellis: cs_6_0 main
// Sums, products, minima, maxima and bitwise reductions and scans across a wave, for int, unsigned and float.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint u = In[id];
    int i = (int)u - 100;
    float f = asfloat(u);
    uint at = id * 5;
    Out[at + 0] = float4(WaveActiveSum(u), WaveActiveProduct(u), WaveActiveMin(u), WaveActiveMax(u));
    Out[at + 1] = float4(WaveActiveSum(i), WaveActiveProduct(i), WaveActiveMin(i), WaveActiveMax(i));
    Out[at + 2] = float4(WaveActiveSum(f), WaveActiveProduct(f), WaveActiveMin(f), WaveActiveMax(f));
    Out[at + 3] = float4(WaveActiveBitAnd(u), WaveActiveBitOr(u), WaveActiveBitXor(u), WavePrefixSum(i));
    Out[at + 4] = float4(WavePrefixSum(u), WavePrefixProduct(u), WavePrefixSum(f), WavePrefixProduct(f));
}
