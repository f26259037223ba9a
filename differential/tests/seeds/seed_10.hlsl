// trellis: cs_6_0 main -O3
// Random program, seed 10.

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
    if ((((asint((In[(id + 40u) & 63u] & 3u)) < asint(1u)) && (asint((In[(id + 35u) & 63u] & 7u)) <= asint(3u))) && ((In[(id + 53u) & 63u] & 15u) != 6u)))
    {
        for (uint i0 = 0u; ; i0 = i0 + 1u)
        {
            if (!(i0 < ((lane >> (1u & 31u)) % 7u)))
                break;
            record(id, at, (((((In[(id + 41u) & 63u] & 7u) < 5u) || (asint((lane & 1u)) <= asint((In[((i0 + id) + 20u) & 63u] & 1u)))) ? (lane >> (2u & 31u)) : 519u) ^ ((((v3 & 7u) < ((i0 + lane) & 7u)) && ((In[((i0 + id) + 32u) & 63u] & 1u) <= 1u)) ? v3 : v2)));
            [branch]
            if ((asint((In[((i0 + id) + 62u) & 63u] & 7u)) <= asint(((i0 + lane) & 7u))))
            {
                uint i1 = 0u;
                while (i1 < (v0 % 6u) && ((asint((lane & 3u)) < asint((In[(id + 1u) & 63u] & 3u))) && (asint((v1 & 1u)) < asint(((i0 + lane) & 1u)))))
                {
                    i1 = i1 + 1u;
                    record(id, at, 126u);
                    if ((asint((v3 & 3u)) < asint(3u)))
                    {
                        record(id, at, asuint(max(asint(i1), asint((i0 + lane)))));
                        record(id, at, v0);
                        record(id, at, In[(id + 59u) & 63u]);
                        record(id, at, (!(asint((In[((i0 + id) + 23u) & 63u] & 3u)) <= asint((In[(id + 5u) & 63u] & 3u))) ? (v3 + In[((i1 + id) + 48u) & 63u]) : v3));
                    }
                    record(id, at, (((i0 + lane) / (i1 | 1u)) >> (v0 & 31u)));
                    if ((((In[((i1 + id) + 19u) & 63u] & 15u) == (i0 & 15u)) || (asint((In[((i0 + id) + 54u) & 63u] & 3u)) <= asint((i0 & 3u)))))
                    {
                        record(id, at, (i0 << (In[((i1 + id) + 3u) & 63u] & 31u)));
                    }
                    else
                    {
                        record(id, at, min(lane, lane));
                    }
                }
            }
            else
            {
                break;
            }
        }
    }
    else
    {
        record(id, at, v2);
    }
    return asuint(min(asint(In[(id + 14u) & 63u]), asint(v0)));
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if (!(((In[(id + 3u) & 63u] & 7u) != 2u) && (asint((In[(id + 48u) & 63u] & 3u)) < asint(3u))))
    {
        record(id, at, (((In[(id + 59u) & 63u] & 1u) <= 1u) ? In[(lane >> (1u & 31u)) & 63u] : v1));
    }
    record(id, at, min(v0, (In[(id + 25u) & 63u] ^ In[(id + 52u) & 63u])));
    return ((459u / (v2 | 1u)) % (max(v3, 236u) | 1u));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    switch ((In[29u & 63u] & 3u))
    {
        case 3u:
        default:
        {
            [branch]
            if ((asint((In[3u & 63u] & 3u)) <= asint(0u)))
            {
                record(id, at, In[(id + 61u) & 63u]);
            }
            if (((In[39u & 63u] & 1u) == (In[33u & 63u] & 1u)))
            {
                v3 = v3;
                uint i2 = 0u;
                [loop]
                while (i2 < 5u)
                {
                    i2 = i2 + 1u;
                    [branch]
                    if ((((In[(i2 + 36u) & 63u] & 3u) <= 1u) || (((In[(i2 + 20u) & 63u] & 3u) != (i2 & 3u)) || ((In[(i2 + 36u) & 63u] & 15u) < 0u))))
                    {
                        record(id, at, (i2 + lane));
                        break;
                    }
                    continue;
                }
            }
            return max(v1, In[(id + 40u) & 63u]);
            break;
        }
    }
    record(id, at, asuint(asint(max(v2, v0)) >> (In[(id + 48u) & 63u] & 31u)));
    [branch]
    if ((asint((In[(id + 59u) & 63u] & 3u)) < asint((In[(id + 2u) & 63u] & 3u))))
    {
        record(id, at, In[(id + 25u) & 63u]);
        record(id, at, (In[(id + 26u) & 63u] + (((In[(id + 16u) & 63u] & 7u) < 7u) ? v2 : v0)));
        record(id, at, (((In[(id + 36u) & 63u] & 15u) <= (In[(id + 1u) & 63u] & 15u)) ? min(v3, 1u) : In[(id + 61u) & 63u]));
    }
    else
    {
        record(id, at, In[(id + 63u) & 63u]);
    }
    return In[(id + 7u) & 63u];
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    switch ((In[27u & 63u] & 3u))
    {
        case 2u:
        {
            if ((asint((In[(id + 58u) & 63u] & 3u)) < asint(0u)))
            {
                [branch]
                if (((In[(id + 62u) & 63u] & 7u) == (In[(id + 22u) & 63u] & 7u)))
                {
                    record(id, at, In[(id + 41u) & 63u]);
                    record(id, at, asuint(min(asint(v1), asint(2147483648u))));
                }
            }
            else
            {
                record(id, at, v3);
            }
            [loop]
            for (uint i3 = 0u; ; i3 = i3 + 1u)
            {
                if (!(i3 < (In[55u & 63u] % 8u)))
                    break;
                record(id, at, (In[In[(id + 34u) & 63u] & 63u] * v0));
                [branch]
                if ((asint((In[2u & 63u] & 7u)) < asint(2u)))
                {
                    [branch]
                    if (((In[(id + 37u) & 63u] & 7u) < 6u))
                    {
                        return;
                    }
                    v2 = (lane >> (3u & 31u));
                }
                else
                {
                    for (uint i4 = 0u; ; i4 = i4 + 1u)
                    {
                        if (!(i4 < (In[(i3 + 61u) & 63u] % 8u) && ((asint((In[(i3 + 18u) & 63u] & 15u)) <= asint((In[(i4 + 26u) & 63u] & 15u))) && (asint((In[(i3 + 10u) & 63u] & 7u)) < asint(7u)))))
                            break;
                        record(id, at, (i3 + lane));
                        [call]
                        switch ((i4 & 3u))
                        {
                            case 2u:
                            case 0u:
                            {
                                record(id, at, (i3 + lane));
                                continue;
                                break;
                            }
                            case 1u:
                            {
                                record(id, at, (i4 + lane));
                                break;
                            }
                            case 3u:
                            {
                                record(id, at, (v1 / (In[(i3 + lane) & 63u] | 1u)));
                                break;
                            }
                            default:
                            {
                                record(id, at, (In[In[((i4 + id) + 20u) & 63u] & 63u] % (v1 | 1u)));
                                break;
                            }
                        }
                    }
                }
            }
            break;
        }
        case 0u:
        {
            record(id, at, In[(id + 49u) & 63u]);
            break;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
