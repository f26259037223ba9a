// trellis: cs_6_2 main -denormftz
// A shader compiled for it has its denormal floats flushed to zero, as operands and as results; others (see denormals_kept) keep them.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(2, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = In[i] * 0.5 + 0.0;
    Out[i + 2] = In[i] * 2.0;
}
