// trellis: cs_6_0 main
// Wave operations on vectors, a bool and a float: one operation a component.

StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4 v = In[id];
    bool b = v.x > 0.5;
    Out[id * 5] = WaveReadLaneAt(v, id & 3);
    Out[id * 5 + 1] = WaveReadLaneFirst(v) + WaveReadLaneFirst(b);
    Out[id * 5 + 2] = WaveActiveAllEqual(v);
    Out[id * 5 + 3] = WaveActiveSum(v) + WaveActiveAllEqual(b);
    Out[id * 5 + 4] = WavePrefixSum(v) + WaveReadLaneAt(b, 2);
}
