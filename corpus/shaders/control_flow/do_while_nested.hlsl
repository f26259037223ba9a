// trellis: cs_6_0 main
// A do-while in a do-while whose conditions share the inner value.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], n = 0;
    [loop]
    do
    {
        [loop]
        do
        {
            v = In[v & 63];
            Out[id] += v;
        } while (v & 1);
        n += v;
        Out[id + 64] = n;
    } while ((v & 2) && n < 1000);
    Out[id + 128] = n;
}
