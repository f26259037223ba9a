// trellis: cs_6_0 main
// Typed buffers of doubles: words in an integer format, put together.

Buffer<double> In : register(t0);
RWBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = In[id] * 2.0 + Out[id + 1];
}
