// trellis: cs_6_0 main
// A switch inside a loop: some cases break the switch, some continue the loop, one returns.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint i = 0; i < 16; i++)
    {
        [branch]
        switch (In[id + i] & 7)
        {
        case 0:
            acc += 1;
            break;
        case 1:
            Out[id] = acc;
            continue;
        case 2:
            acc += 10;
            continue;
        case 3:
            Out[id + 64] = acc;
            return;
        case 4:
            acc *= 3;
        case 5:
            acc += 7;
            break;
        default:
            Out[id + 128] = acc;
            break;
        }
        acc += 100;
        Out[id + 192] = acc;
    }
    Out[id + 256] = acc;
}
