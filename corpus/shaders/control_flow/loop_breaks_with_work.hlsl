// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A for loop with four breaks, each with its own work before it.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 40; i++)
    {
        uint v = In[id + i];
        [branch]
        if (v == 1) { Out[id] = acc; acc += 1; break; }
        acc += v;
        [branch]
        if (v == 2) { Out[id + 64] = acc; acc += 2; break; }
        acc ^= i;
        [branch]
        if (v == 3) { Out[id + 128] = acc; acc += 3; break; }
        Out[id + 192] += acc;
        [branch]
        if (v == 4) { Out[id + 256] = acc; acc += 4; break; }
    }
    Out[id + 320] = acc;
}
