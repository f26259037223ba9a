// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Four nested loops; the innermost returns, breaks one level, or continues the one around it by a flag.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint search(uint id)
{
    uint acc = 0;
    [loop]
    for (uint a = 0; a < 4; a++)
    {
        [loop]
        for (uint b = 0; b < 4; b++)
        {
            bool skip = false;
            [loop]
            for (uint c = 0; c < 4; c++)
            {
                [loop]
                for (uint d = 0; d < 4; d++)
                {
                    uint v = In[id + a * 64 + b * 16 + c * 4 + d];
                    if (v == 1)
                        return acc;
                    if (v == 2)
                        break;
                    if (v == 3)
                    {
                        skip = true;
                        break;
                    }
                    acc += v;
                    Out[id] += acc;
                }
                if (skip)
                    break;
                Out[id + 64] += c;
            }
            Out[id + 128] += b;
        }
        Out[id + 192] += a;
    }
    return acc + 1000;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id + 256] = search(id);
}
