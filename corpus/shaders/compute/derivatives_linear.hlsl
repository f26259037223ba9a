// trellis: cs_6_6 main
// Derivatives in a one-dimensional group: quads are four threads in a row (shader model 6.6).

RWStructuredBuffer<float> Out : register(u0);
StructuredBuffer<float> In : register(t0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float v = In[id];
    Out[id] = ddx_coarse(v) + ddy_coarse(v) * 100;
}
