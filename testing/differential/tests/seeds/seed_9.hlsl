// trellis: cs_6_6 main -Od
// Random program, seed 9.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint Totals[4];

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    if (lane < 4u) Totals[lane] = 0u;
    GroupMemoryBarrierWithGroupSync();
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    switch ((In[33u & 63u] & 3u))
    {
        case 0u:
        {
            InterlockedXor(Totals[1], (515u << (In[(id + 26u) & 63u] & 31u)));
        }
        case 2u:
        {
            record(id, at, (countbits((lane >> (1u & 31u)))));
            record(id, at, lane);
            [branch]
            if ((asint((In[3u & 63u] & 1u)) < asint(1u)))
            {
                record(id, at, (asuint(max(asint(v2), asint(In[(id + 50u) & 63u]))) | min(v1, v2)));
                if ((((In[(id + 28u) & 63u] & 3u) <= 2u) || (asint((lane & 7u)) <= asint((lane & 7u)))))
                {
                    break;
                }
            }
            break;
        }
        case 1u:
        case 3u:
        {
            if (((In[(id + 33u) & 63u] & 15u) < 10u))
            {
                break;
            }
            [branch]
            if (((In[(id + 41u) & 63u] & 3u) < (In[(id + 10u) & 63u] & 3u)))
            {
                return;
            }
            break;
        }
        default:
        {
            record(id, at, ((2u + v3) + min(In[(id + 55u) & 63u], v3)));
            record(id, at, In[(id + 20u) & 63u]);
            break;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
