// trellis: cs_6_6 main -O3
// Random program, seed 18.

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
    if ((((lane >> (2u & 31u)) & 3u) <= 1u))
    {
        record(id, at, (((In[(id + 25u) & 63u] & 15u) < 12u) ? 653u : v0));
    }
    [branch]
    if (((In[(id + 9u) & 63u] & 3u) == 1u))
    {
        [loop]
        for (uint i0 = 0u; i0 < 5u && (((v3 & 15u) < 9u) && ((In[((i0 + id) + 2u) & 63u] & 3u) != 0u)); i0 = i0 + 1u)
        {
            switch (((i0 + lane) & 3u))
            {
                case 1u:
                {
                }
                case 0u:
                {
                    [branch]
                    if ((((asint((In[(id + 6u) & 63u] & 15u)) < asint(15u)) && (asint(((i0 + lane) & 3u)) < asint((In[(id + 20u) & 63u] & 3u)))) && (asint(((i0 + lane) & 3u)) < asint(1u))))
                    {
                        break;
                    }
                    continue;
                    break;
                }
                case 2u:
                {
                    record(id, at, ((((lane & 1u) == 0u) || ((v0 & 15u) <= (i0 & 15u))) ? (~(260u)) : (firstbithigh(v1))));
                    [branch]
                    if (((i0 & 15u) < 6u))
                    {
                        uint i1 = 0u;
                        [loop]
                        while (i1 < (In[((i0 + id) + 1u) & 63u] % 6u))
                        {
                            i1 = i1 + 1u;
                            if ((((i0 + lane) & 3u) == (In[((i0 + id) + 42u) & 63u] & 3u)))
                            {
                                record(id, at, (64u ^ 1u));
                                break;
                            }
                            [branch]
                            if ((((i0 + lane) & 7u) == 4u))
                            {
                                break;
                            }
                            record(id, at, In[(id + 7u) & 63u]);
                            record(id, at, asuint(asint((firstbithigh(In[In[((i1 + id) + 6u) & 63u] & 63u]))) >> (((asint(((i0 + lane) & 7u)) < asint(0u)) ? In[((i0 + id) + 5u) & 63u] : In[(id + 18u) & 63u]) & 31u)));
                            record(id, at, asuint(max(asint(v2), asint(v1))));
                            break;
                        }
                        record(id, at, ((i0 + lane) - (v0 - v3)));
                    }
                    break;
                }
                case 3u:
                {
                    record(id, at, (!((v1 & 3u) < 3u) ? v2 : In[((i0 + id) + 41u) & 63u]));
                    break;
                }
            }
        }
        record(id, at, In[(id + 43u) & 63u]);
    }
    record(id, at, v3);
    return (In[(id + 6u) & 63u] + In[(id + 5u) & 63u]);
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if (((In[33u & 63u] & 3u) == 0u))
    {
        v2 = (In[(id + 28u) & 63u] ^ (0u - ((((asint((In[(id + 19u) & 63u] & 15u)) < asint(13u)) && ((In[(id + 60u) & 63u] & 3u) < 1u)) ? v3 : In[lane & 63u]))));
        record(id, at, (((((lane >> (2u & 31u)) & 1u) < (v2 & 1u)) ? lane : 0u) + In[(id + 7u) & 63u]));
        [branch]
        switch ((In[(id + 14u) & 63u] & 3u))
        {
            case 1u:
            {
                if (!((v2 & 3u) == 0u))
                {
                    [loop]
                    for (uint i2 = 0u; ; i2 = i2 + 1u)
                    {
                        if (!(i2 < (In[(id + 33u) & 63u] % 3u) && (((In[((i2 + id) + 40u) & 63u] & 3u) <= (In[(id + 19u) & 63u] & 3u)) || ((lane & 3u) != (In[((i2 + id) + 39u) & 63u] & 3u)))))
                            break;
                        v0 = f0(id, lane, at, v2, (asuint(min(asint(v3), asint(In[(lane >> (2u & 31u)) & 63u]))) & (~(In[In[((i2 + id) + 12u) & 63u] & 63u]))));
                        switch (((lane >> (1u & 31u)) & 7u))
                        {
                            case 4u:
                            {
                                record(id, at, ((i2 + lane) & i2));
                                v2 = (lane >> (1u & 31u));
                            }
                            case 5u:
                            default:
                            {
                                record(id, at, (In[(id + 59u) & 63u] + v2));
                                break;
                            }
                        }
                        record(id, at, (i2 + lane));
                    }
                }
            }
            case 3u:
            {
                break;
            }
            case 0u:
            case 2u:
            {
                record(id, at, (402u ^ In[lane & 63u]));
                break;
            }
            default:
            {
                break;
            }
        }
    }
    else
    {
        record(id, at, In[(id + 33u) & 63u]);
    }
    record(id, at, (v1 / (160u | 1u)));
    return (v1 + (109u ^ In[(id + 48u) & 63u]));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    v0 = (asuint(max(asint(535u), asint(min(In[(id + 56u) & 63u], In[(id + 10u) & 63u])))) & v1);
    return (In[(id + 37u) & 63u] ^ 712u);
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    switch ((In[27u & 63u] & 3u))
    {
        case 1u:
        {
            record(id, at, asuint(max(asint(((lane >> (3u & 31u)) % (In[In[(id + 16u) & 63u] & 63u] | 1u))), asint(asuint(max(asint(v2), asint(In[In[(id + 46u) & 63u] & 63u])))))));
            [branch]
            if ((asint((In[(id + 0u) & 63u] & 1u)) <= asint(1u)))
            {
                record(id, at, In[(id + 22u) & 63u]);
            }
        }
        case 2u:
        {
            [branch]
            if ((!((In[42u & 63u] & 15u) <= (In[24u & 63u] & 15u)) && (((In[28u & 63u] & 3u) != (In[28u & 63u] & 3u)) && ((In[((lane / 4u) + 51u) & 63u] & 3u) != (In[56u & 63u] & 3u)))))
            {
                record(id, at, min(In[(id + 61u) & 63u], v0));
                uint i3 = 0u;
                [loop]
                while (i3 < (In[20u & 63u] % 2u))
                {
                    i3 = i3 + 1u;
                    [branch]
                    if (((In[((i3 + id) + 25u) & 63u] & 7u) < (In[(id + 16u) & 63u] & 7u)))
                    {
                        if (((lane & 7u) == ((i3 + lane) & 7u)))
                        {
                            [branch]
                            if (((asint((In[(id + 21u) & 63u] & 15u)) <= asint(3u)) || (((In[((i3 + id) + 35u) & 63u] & 3u) == (In[(id + 39u) & 63u] & 3u)) && ((In[(id + 33u) & 63u] & 15u) == 6u))))
                            {
                                record(id, at, (i3 + lane));
                                break;
                            }
                            [branch]
                            switch ((lane & 3u))
                            {
                                case 0u:
                                default:
                                {
                                }
                                case 3u:
                                {
                                    if ((((In[(id + 41u) & 63u] & 7u) < 7u) && (asint(((i3 + lane) & 3u)) < asint(1u))))
                                    {
                                        break;
                                    }
                                    record(id, at, ((v2 * v1) - asuint(asint(875u) >> (656u & 31u))));
                                    record(id, at, lane);
                                    break;
                                }
                                case 2u:
                                case 1u:
                                {
                                    record(id, at, In[((i3 + id) + 0u) & 63u]);
                                    record(id, at, v0);
                                    v3 = asuint(max(asint(max(v1, asuint(max(asint((i3 + lane)), asint(lane))))), asint(asuint(max(asint(In[((i3 + id) + 19u) & 63u]), asint(lane))))));
                                    break;
                                }
                            }
                            if ((asint((i3 & 3u)) < asint(2u)))
                            {
                                record(id, at, (756u & In[(id + 28u) & 63u]));
                                return;
                            }
                            break;
                        }
                        [loop]
                        for (uint i4 = 0u; i4 < 4u; i4 = i4 + 1u)
                        {
                            for (uint i5 = 0u; i5 < ((i4 + lane) % 6u); i5 = i5 + 1u)
                            {
                                record(id, at, In[((i5 + id) + 62u) & 63u]);
                                record(id, at, 240u);
                                record(id, at, v3);
                            }
                            switch ((In[((i3 + id) + 39u) & 63u] & 3u))
                            {
                                case 1u:
                                case 2u:
                                {
                                    record(id, at, asuint(max(asint((2u ^ (lane >> (2u & 31u)))), asint(v2))));
                                    v1 = (i4 + lane);
                                    break;
                                }
                                case 3u:
                                case 0u:
                                {
                                    record(id, at, ((((In[(id + 1u) & 63u] & 3u) <= 2u) && (asint((In[(id + 5u) & 63u] & 15u)) < asint(13u))) ? (v3 - v2) : (lane >> (2u & 31u))));
                                    record(id, at, v1);
                                    v1 = (((v3 & v0) * (In[v1 & 63u] + 1u)) / ((v1 & lane) | 1u));
                                    break;
                                }
                                default:
                                {
                                    break;
                                }
                            }
                            record(id, at, max((lane >> (2u & 31u)), In[((i3 + id) + 35u) & 63u]));
                            v0 = f2(id, lane, at, (~(v2)), (i4 + lane));
                        }
                        v2 = (i3 + lane);
                        record(id, at, (firstbithigh(asuint(min(asint(v0), asint(4294967295u))))));
                    }
                }
                if (((In[50u & 63u] & 3u) == 3u))
                {
                    record(id, at, (In[(id + 30u) & 63u] - v3));
                    break;
                }
                else
                {
                    [branch]
                    if (((In[7u & 63u] & 15u) == 8u))
                    {
                        record(id, at, asuint(asint(v1) >> (v0 & 31u)));
                        return;
                    }
                    v1 = f1(id, lane, at, v0, In[(id + 13u) & 63u]);
                }
            }
            else
            {
                record(id, at, v3);
                if (((In[45u & 63u] & 1u) < (In[60u & 63u] & 1u)))
                {
                    break;
                }
            }
            v1 = f0(id, lane, at, min(27u, v1), v3);
            [branch]
            if (((In[(id + 43u) & 63u] & 3u) == 0u))
            {
                if (((In[(id + 33u) & 63u] & 1u) < 1u))
                {
                    record(id, at, In[v2 & 63u]);
                }
            }
            break;
        }
        case 0u:
        {
        }
        case 3u:
        default:
        {
            record(id, at, (In[In[(id + 15u) & 63u] & 63u] + In[(id + 32u) & 63u]));
            break;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
