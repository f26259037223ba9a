// trellis: cs_6_0 main
// A nest of ifs where one path breaks out to the outer merge and its neighbour merges inside: which is the break?

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    do
    {
        [branch]
        if (v & 1)
        {
            Out[id] = 1;
            [branch]
            if (v & 2)
            {
                Out[id + 64] = 2;
                [branch]
                if (v & 4)
                {
                    Out[id + 128] = 3;
                    break;
                }
            }
            Out[id + 192] = 4;
        }
        else
        {
            Out[id + 256] = 5;
            [branch]
            if (v & 8)
                break;
        }
        Out[id + 320] = 6;
    } while (false);
    Out[id + 384] = 7;
}
