// trellis: cs_6_6 main
// A required wave size (shader model 6.6).

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[WaveSize(32)]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = WaveGetLaneCount() + WavePrefixSum(In[id]);
}
