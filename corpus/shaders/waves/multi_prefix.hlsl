// trellis: cs_6_5 main
// WaveMatch and the multi-prefix operations (shader model 6.5).

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<float> OutF : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    uint4 mask = WaveMatch(v & 3);
    Out[id * 4] = mask;
    Out[id * 4 + 1] = uint4(WaveMultiPrefixSum(v, mask), WaveMultiPrefixProduct(v, mask), WaveMultiPrefixCountBits(v & 1, mask), 0);
    Out[id * 4 + 2] = uint4(WaveMultiPrefixBitAnd(v, mask), WaveMultiPrefixBitOr(v, mask), WaveMultiPrefixBitXor(v, mask), 0);
    Out[id * 4 + 3] = WaveMatch((float)v);
    OutF[id * 2] = WaveMultiPrefixSum((float)v, mask);
    OutF[id * 2 + 1] = WaveMultiPrefixSum((int)v - 5, mask);
}
