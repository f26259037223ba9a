// trellis: cs_6_0 main -Od
// Random program, seed 4.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

uint f0(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    for (uint i0 = 0u; i0 < (In[(id + 58u) & 63u] % 3u); i0 = i0 + 1u)
    {
        record(id, at, (reversebits((In[((i0 + id) + 28u) & 63u] & v1))));
        v1 = ((~((v3 * v2))) | asuint(max(asint(In[((i0 + id) + 34u) & 63u]), asint((v2 / (v1 | 1u))))));
        v3 = i0;
        break;
    }
    return In[(id + 15u) & 63u];
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, (lane >> (1u & 31u)));
    [branch]
    if (!((In[(id + 36u) & 63u] & 15u) < (In[(id + 59u) & 63u] & 15u)))
    {
        v0 = f0(id, lane, at, In[(id + 0u) & 63u], ((((lane >> (2u & 31u)) & 1u) != 0u) ? v3 : 585u));
        record(id, at, In[(id + 21u) & 63u]);
        record(id, at, lane);
    }
    return In[(id + 51u) & 63u];
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if (((In[(id + 21u) & 63u] & 3u) == 1u))
    {
        if ((asint((In[(id + 28u) & 63u] & 15u)) < asint(2u)))
        {
            record(id, at, In[(id + 52u) & 63u]);
        }
        else
        {
            record(id, at, max(In[(id + 12u) & 63u], In[In[(id + 7u) & 63u] & 63u]));
        }
    }
    else
    {
        record(id, at, In[(id + 53u) & 63u]);
    }
    return ((((In[(id + 24u) & 63u] & 3u) <= (In[(id + 36u) & 63u] & 3u)) || ((In[(id + 39u) & 63u] & 15u) <= 7u)) ? (((asint((In[(id + 52u) & 63u] & 1u)) < asint(0u)) && ((v1 & 3u) == 2u)) ? (lane >> (1u & 31u)) : v3) : In[(id + 17u) & 63u]);
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, In[(id + 29u) & 63u]);
    record(id, at, v3);
    [call]
    switch ((v3 & 7u))
    {
        case 6u:
        case 7u:
        {
            record(id, at, ((~(v3)) ^ (((In[(id + 33u) & 63u] & 3u) == (lane & 3u)) ? In[In[(id + 49u) & 63u] & 63u] : In[(id + 57u) & 63u])));
            v2 = min(In[(id + 48u) & 63u], (max(931u, v0) - (v1 + v2)));
            break;
        }
        case 2u:
        case 1u:
        {
            if ((((lane >> (1u & 31u)) & 15u) == 9u))
            {
                if (((lane & 3u) != 2u))
                {
                    uint i1 = 0u;
                    [loop]
                    while (i1 < 7u)
                    {
                        i1 = i1 + 1u;
                        if ((asint((In[(id + 23u) & 63u] & 7u)) < asint(4u)))
                        {
                            record(id, at, ((v0 ^ 1u) / ((i1 + lane) | 1u)));
                            record(id, at, 936u);
                        }
                        else
                        {
                            record(id, at, (0u - (135u)));
                        }
                    }
                    record(id, at, (In[(id + 26u) & 63u] << (v3 & 31u)));
                }
                else
                {
                    record(id, at, v3);
                }
            }
            break;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
