// trellis: cs_6_0 main
// Minimum-precision numbers take 32 bits in memory; floats are computed in 32 bits, integers in 16, here without a difference that could show.
StructuredBuffer<min16float> In : register(t0);
StructuredBuffer<min16int> Ints : register(t1);
RWStructuredBuffer<min16float> Out : register(u0);
RWStructuredBuffer<min16int> Sums : register(u1);

[numthreads(2, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = In[i] * (min16float)1.5;
    Sums[i] = Ints[i] - (min16int)7;
}
