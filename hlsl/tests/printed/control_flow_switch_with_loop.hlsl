// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Loops inside cases; a break there leaves the loop, not the switch.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [branch]
    switch (In[id] & 3)
    {
    case 0:
        [loop]
        for (uint i = 0; i < 10; i++)
        {
            if (In[i] == 5)
                break;
            Out[id] += i;
        }
        acc = 1;
        break;
    case 1:
        [loop]
        while (acc < 100)
            acc += In[acc] + 1;
    case 2:
        [loop]
        do
        {
            Out[id + 64] += acc;
            acc = acc * 3 + 1;
        } while (acc & 8);
        break;
    }
    Out[id + 128] = acc;
}
// ---- printed ----
// dxc -T cs_6_0 -E main
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID)
{
    uint t0 = In[dispatchThreadID.x] & 3;
    uint v0 = 0u;
    uint path = 12u;
    switch (t0) {
        case 2u: {
            v0 = 0u;
            path = 9u;
            break;
        }
        case 0u: {
            uint v1 = 0u;
            [loop]
            while (true) {
                if (In[v1] == 5u) {
                    break;
                }
                Out[dispatchThreadID.x] += v1;
                v1 += 1;
                if (v1 >= 10u) {
                    break;
                }
            }
            v0 = 1u;
            path = 12u;
            break;
        }
        case 1u: {
            v0 = 0u;
            [loop]
            while (true) {
                v0 = v0 + 1 + In[v0];
                if (v0 >= 100u) {
                    break;
                }
            }
            path = 9u;
            break;
        }
    }
    if (path <= 9u) {
        [loop]
        while (true) {
            uint t1 = dispatchThreadID.x + 64;
            Out[t1] += v0;
            v0 = v0 * 3 + 1;
            if ((v0 & 8) == 0u) {
                break;
            }
        }
    }
    Out[dispatchThreadID.x + 128] = v0;
}
