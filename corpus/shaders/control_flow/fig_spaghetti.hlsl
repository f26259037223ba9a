// trellis: cs_6_0 main
// Several figures at once: a switch with fall-through in a loop in an if in a loop, with continues, breaks and returns at each level.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint walk(uint id)
{
    uint v = In[id], acc = 1;
    [loop]
    for (uint i = 0; i < 12; i++)
    {
        v = In[(v + i) & 63];
        [branch]
        if (v & 1)
        {
            [loop]
            for (uint j = 0; j < 8; j++)
            {
                uint w = In[(v + j) & 63];
                [branch]
                switch (w & 7)
                {
                case 0:
                    Out[id] += acc;
                case 1:
                    acc += w;
                    break;
                case 2:
                    acc ^= 5;
                    if (acc & 1)
                        continue;
                case 3:
                    Out[id + 64] += acc;
                    break;
                case 4:
                    return acc + 100;
                case 5:
                    if (w & 8)
                        return acc + 200;
                    acc *= 3;
                    break;
                default:
                    acc += 7;
                }
                if (acc > 300)
                    break;
                Out[id + 128] += j;
            }
            if (acc & 2)
                continue;
            Out[id + 192] += acc;
        }
        else if (v & 2)
        {
            do
            {
                acc += v;
                if (acc & 4)
                    break;
                acc = acc * 5 + 1;
                if (acc & 8)
                    return acc;
                Out[id + 256] = acc;
            } while (false);
        }
        else
        {
            break;
        }
        acc &= 0xffff;
    }
    return acc;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id + 320] = walk(id);
}
