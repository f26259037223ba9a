// trellis: cs_6_0 main
// A loop's break goes to a block that the loop's natural exit also reaches, after a test: inside by one reading, outside by the other; that block itself branches.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id, uint outer)
{
    [loop]
    for (uint i = 0;; i++)
    {
        if (i >= 16)
        {
            Out[id] = i;
            if (In[id + outer] <= 200)
                return;
            break;
        }
        uint v = In[id + outer * 16 + i];
        [branch]
        if (v == 9)
            break;
        Out[id + 64] += v;
    }
    Out[id + 128] += 3;
    [branch]
    if (In[id + outer + 64] & 1)
        Out[id + 192] += 5;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    [loop]
    for (uint outer = 0; outer < 4; outer++)
        scan(id, outer);
    Out[id + 256] = 7;
}
