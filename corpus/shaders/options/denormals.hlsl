// trellis.preserve: cs_6_2 main -denormpreserve
// trellis.ftz: cs_6_2 main -denormftz
// trellis.any: cs_6_2 main -denormany
// The three modes for denormal floats, as function attributes (shader model 6.2).

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = In[id] * 1e-30 + In[id + 1];
}
