// trellis: cs_6_6 main
// A group of three threads, which has no quads: derivatives are 0.

RWStructuredBuffer<float> Out : register(u0);
StructuredBuffer<float> In : register(t0);

[numthreads(3, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float v = In[id];
    Out[id] = v + 100 * (ddx_coarse(v) + ddy_coarse(v) + ddx_fine(v) + ddy_fine(v));
}
