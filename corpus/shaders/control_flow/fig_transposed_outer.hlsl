// trellis: cs_6_0 main
// A loop whose break goes to a block that the loop's natural exit also reaches after a test: inside for one reading, outside for the other.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], n = 0;
    bool found = false;
    [loop]
    for (uint outer = 0; outer < 4; outer++)
    {
        [loop]
        for (uint i = 0; i < 16; i++)
        {
            v = In[v & 63];
            n += v;
            [branch]
            if (v == 9)
            {
                found = true;
                break;
            }
            Out[id] += n;
        }
        [branch]
        if (found || n > 200)
        {
            Out[id + 64] = n;
            [branch]
            if (n & 1)
                return;
            Out[id + 128] = v;
        }
        n ^= outer;
    }
    Out[id + 192] = n;
}
