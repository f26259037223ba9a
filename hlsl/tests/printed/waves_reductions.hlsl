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
// ---- printed ----
// dxc -T cs_6_0 -E main
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID)
{
    uint t0 = In[dispatchThreadID.x];
    uint t1 = t0 - 100;
    float t2 = asfloat(t0);
    uint t3 = dispatchThreadID.x * 5;
    uint t4 = WaveActiveSum(t0);
    uint t5 = WaveActiveProduct(t0);
    uint t6 = WaveActiveMin(t0);
    uint t7 = WaveActiveMax(t0);
    Out[t3] = float4((float)t4, (float)t5, (float)t6, (float)t7);
    int t8 = WaveActiveSum((int)t1);
    int t9 = WaveActiveProduct((int)t1);
    int t10 = WaveActiveMin((int)t1);
    int t11 = WaveActiveMax((int)t1);
    Out[t3 + 1] = float4((float)t8, (float)t9, (float)t10, (float)t11);
    float t12 = WaveActiveSum(t2);
    float t13 = WaveActiveProduct(t2);
    float t14 = WaveActiveMin(t2);
    float t15 = WaveActiveMax(t2);
    Out[t3 + 2] = float4(t12, t13, t14, t15);
    uint t16 = WaveActiveBitAnd(t0);
    uint t17 = WaveActiveBitOr(t0);
    uint t18 = WaveActiveBitXor(t0);
    int t19 = WavePrefixSum((int)t1);
    Out[t3 + 3] = float4((float)t16, (float)t17, (float)t18, (float)t19);
    uint t20 = WavePrefixSum(t0);
    uint t21 = WavePrefixProduct(t0);
    float t22 = WavePrefixSum(t2);
    float t23 = WavePrefixProduct(t2);
    Out[t3 + 4] = float4((float)t20, (float)t21, t22, t23);
}
