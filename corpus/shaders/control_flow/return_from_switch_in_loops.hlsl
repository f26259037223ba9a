// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A return from a switch in a loop in a switch in a loop.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 6; i++)
    {
        [branch]
        switch (In[id + i] & 3)
        {
        case 0:
            [loop]
            for (uint j = 0; j < 6; j++)
            {
                [branch]
                switch (In[id + i * j] & 3)
                {
                case 0:
                    acc += j;
                    break;
                case 1:
                    Out[id] = acc;
                    return;
                case 2:
                    acc ^= 5;
                    continue;
                default:
                    Out[id + 64] += acc;
                }
                acc += 3;
            }
            break;
        case 1:
            continue;
        case 2:
            Out[id + 128] = acc;
            return;
        default:
            acc += 1;
        }
        Out[id + 192] = acc;
    }
    Out[id + 256] = acc;
}
