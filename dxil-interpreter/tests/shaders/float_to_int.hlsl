// trellis: cs_6_0 main
// A float becomes an integer toward zero; what does not fit becomes the nearest integer that there is, NaN becomes 0.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    float v = In[i];
    Out[i] = uint2((uint)v, (int)v);
}
