// trellis: cs_6_0 main
// A switch whose cases leave the loop to its end or past the code behind it, with fall-through before the exits.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void scan(uint id)
{
    [loop]
    for (uint i = 0;; i++)
    {
        [branch]
        switch (In[id + i] & 7)
        {
        case 0:
            Out[id] += i;
        case 1:
            Out[id + 64] += i;
            break;
        case 2:
            Out[id + 128] += i;
        case 3:
            return;
        case 4:
            if (i & 1)
                return;
            break;
        case 5:
            continue;
        default:
            Out[id + 192] += i;
        }
        [branch]
        if (i > 20)
            break;
        Out[id + 256] += 1;
    }
    Out[id + 320] = 5;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    scan(id);
    Out[id + 384] = 7;
}
