// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A loop without a condition inside another: the inner one breaks or returns, the outer one never ends by itself.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id;
    for (;;)
    {
        for (;;)
        {
            uint v = In[at & 63];
            Out[id] += v;
            if (v == 0)
                break;
            if (v == 1)
                return;
            at = at * 5 + v;
        }
        Out[id + 64] += at;
        at += 3;
    }
}
