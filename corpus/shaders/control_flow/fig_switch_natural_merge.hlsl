// trellis: cs_6_0 main
// A switch in a loop: cases fall through, some reach a common block that is no case, some leave the loop.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 12; i++)
    {
        uint v = In[id + i];
        bool common = false;
        [branch]
        switch (v & 7)
        {
        case 0:
            Out[id] = acc;
        case 1:
            acc += v;
            common = true;
            break;
        case 2:
            acc ^= v;
            if (acc & 1)
                common = true;
            break;
        case 3:
            Out[id + 64] = acc;
            return;
        case 4:
            acc *= 3;
        case 5:
            if (acc > 40)
                continue;
        case 6:
            acc += 2;
            break;
        default:
            common = true;
        }
        [branch]
        if (common)
            Out[id + 128] += acc;
        Out[id + 192] += i;
    }
    Out[id + 256] = acc;
}
