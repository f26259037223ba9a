// trellis: cs_6_0 main
// A loop without a condition that only returns leave.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id;
    for (;;)
    {
        uint v = In[at & 63];
        if (v == 0)
        {
            Out[id] = at;
            return;
        }
        if (v > 1000)
        {
            Out[id] = v;
            return;
        }
        Out[id + 64] += v;
        at += v;
    }
}
