// trellis: cs_6_8 main
// A range of wave sizes with a preferred one (shader model 6.8).

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[WaveSize(4, 64, 8)]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = WaveActiveSum(In[id]) + WaveGetLaneCount();
}
