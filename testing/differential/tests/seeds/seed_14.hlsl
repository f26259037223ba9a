// trellis: cs_6_0 main -O0 -HV 2021
// Random program, seed 14.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, v3);
    record(id, at, v1);
    record(id, at, In[(id + 1u) & 63u]);
    record(id, at, lane);
    uint i0 = 0u;
    [loop]
    while (i0 < (In[51u & 63u] % 6u))
    {
        i0 = i0 + 1u;
        record(id, at, ((asint((i0 & 1u)) <= asint(((i0 + lane) & 1u))) ? (firstbithigh(v1)) : (123u << (1u & 31u))));
        if (!((In[(i0 + 38u) & 63u] & 3u) == 2u))
        {
            record(id, at, (i0 ^ v1));
            [branch]
            if (((asint((In[((i0 + id) + 47u) & 63u] & 3u)) <= asint(2u)) && ((In[(id + 10u) & 63u] & 3u) != 1u)))
            {
                record(id, at, (array[In[((i0 + id) + 8u) & 63u] & 3u] >> (array[In[(id + 16u) & 63u] & 3u] & 31u)));
                return;
            }
            record(id, at, i0);
            [branch]
            if ((asint((In[(i0 + 50u) & 63u] & 3u)) < asint(0u)))
            {
                record(id, at, (v3 / (array[i0 & 3u] | 1u)));
                continue;
            }
        }
    }
    if ((asint((In[34u & 63u] & 3u)) <= asint(3u)))
    {
        if ((((lane >> (2u & 31u)) & 15u) != ((lane >> (3u & 31u)) & 15u)))
        {
            v0 = (max(lane, (v3 + v2)) % ((lane >> (2u & 31u)) | 1u));
            [branch]
            if (((v1 & 15u) <= (In[(id + 19u) & 63u] & 15u)))
            {
                record(id, at, (In[(id + 1u) & 63u] | array[In[(id + 50u) & 63u] & 3u]));
            }
            record(id, at, v1);
            record(id, at, v3);
        }
        else
        {
            if ((((lane >> (3u & 31u)) & 1u) < 0u))
            {
                record(id, at, (v1 & 7u));
                record(id, at, In[In[(id + 53u) & 63u] & 63u]);
                if ((((In[(id + 14u) & 63u] & 15u) != 15u) && (((lane >> (2u & 31u)) & 1u) != 0u)))
                {
                    return;
                }
                record(id, at, ((asint((In[(id + 18u) & 63u] & 15u)) <= asint(10u)) ? asuint(max(asint(array[(lane >> (3u & 31u)) & 3u]), asint(1u))) : lane));
            }
            else
            {
                record(id, at, In[(id + 51u) & 63u]);
                record(id, at, ((asint((v3 & 15u)) <= asint(7u)) ? 4294967295u : In[(id + 46u) & 63u]));
            }
        }
    }
    else
    {
        record(id, at, array[In[(id + 24u) & 63u] & 3u]);
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
