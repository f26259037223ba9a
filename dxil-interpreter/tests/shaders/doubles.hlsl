// trellis: cs_6_0 main
// Doubles: arithmetic, conversion, and the two words that they are made of.
StructuredBuffer<double> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);
RWStructuredBuffer<uint2> Words : register(u1);

[numthreads(2, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    double v = In[i];
    Out[i] = v * v + 0.5l;
    uint low, high;
    asuint(v, low, high);
    Words[i] = uint2(low, high);
}
