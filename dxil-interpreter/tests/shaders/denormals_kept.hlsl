// trellis: cs_6_2 main
// Denormal floats are kept where the shader does not say otherwise (see denormals_flushed).
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(2, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = In[i] * 0.5 + 0.0;
    Out[i + 2] = In[i] * 2.0;
}
