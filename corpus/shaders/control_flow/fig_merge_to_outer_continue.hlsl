// trellis: cs_6_0 main
// An inner loop both exits of which are the outer loop's continue, one after a test that may leave both loops.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id)
{
    [loop]
    for (uint i = 0; i < 16; i++)
    {
        Out[id] += i;
        [loop]
        for (uint j = 0;; j++)
        {
            if (j >= 16)
            {
                Out[id + 64] += j;
                if (In[id + i] == 4)
                    return;
                break;
            }
            uint v = In[id + i * 16 + j];
            [branch]
            if (v == 1)
                break;
            [branch]
            if (v == 2)
                return;
            Out[id + 128] += v;
        }
    }
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    scan(id);
    Out[id + 192] = 7;
}
