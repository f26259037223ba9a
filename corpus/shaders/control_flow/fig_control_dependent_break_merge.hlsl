// trellis: cs_6_0 main
// Two breaks that share a block with a wave operation on the way out: that block must not be duplicated.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id)
{
    [loop]
    for (uint i = 0;; i++)
    {
        if (i >= 24)
            return;
        uint v = In[id + i];
        [branch]
        if (v == 1)
            break;
        Out[id] += v;
        [branch]
        if (v == 2)
            break;
        Out[id + 64] += v;
    }
    Out[id + 128] = WaveActiveSum(In[id]);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    scan(id);
    Out[id + 192] = 7;
}
