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
        record(id, at, (((In[(id + 25u) & 63u] & 15u) < 12u) ? 653u : (v0 & 255u)));
    }
    record(id, at, 2u);
    return 5u;
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if ((((v3 & 3u) < 2u) && (((In[(id + 2u) & 63u] & 3u) != 0u) && ((In[(id + 12u) & 63u] & 1u) == 1u))))
    {
        v2 = (max(((((In[(id + 57u) & 63u] & 3u) != 3u) && ((In[(id + 3u) & 63u] & 7u) == 5u)) ? In[(id + 21u) & 63u] : In[(lane >> (1u & 31u)) & 63u]), (v1 + In[(id + 29u) & 63u])) - ((countbits(In[(lane >> (2u & 31u)) & 63u])) << ((31u + 31u) & 31u)));
        for (uint i0 = 0u; i0 < ((lane >> (3u & 31u)) % 2u); i0 = i0 + 1u)
        {
            record(id, at, (countbits((v2 - (i0 + lane)))));
            v0 = f0(id, lane, at, i0, (countbits(((((i0 + lane) & 7u) < 7u) ? v1 : 2u))));
            record(id, at, (i0 + lane));
        }
    }
    record(id, at, max(v3, In[(id + 22u) & 63u]));
    return 596u;
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, In[(id + 30u) & 63u]);
    record(id, at, v2);
    return In[(id + 41u) & 63u];
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, In[(id + 8u) & 63u]);
    if (((In[(id + 5u) & 63u] & 1u) != 1u))
    {
        [branch]
        if (((In[(id + 62u) & 63u] & 1u) != 1u))
        {
            record(id, at, In[(id + 28u) & 63u]);
            for (uint i1 = 0u; i1 < 1u; i1 = i1 + 1u)
            {
                [branch]
                switch ((In[((i1 + id) + 10u) & 63u] & 3u))
                {
                    case 2u:
                    {
                        [branch]
                        if ((asint(((i1 + lane) & 1u)) <= asint((In[((i1 + id) + 39u) & 63u] & 1u))))
                        {
                            break;
                        }
                        break;
                    }
                    case 3u:
                    default:
                    {
                        [branch]
                        if (((v0 & 1u) == 0u))
                        {
                            continue;
                        }
                    }
                    case 0u:
                    case 1u:
                    {
                        v2 = f2(id, lane, at, (v3 + 2147483648u), lane);
                        [branch]
                        if (((In[((i1 + id) + 22u) & 63u] & 1u) < 1u))
                        {
                            [branch]
                            if ((asint((In[((i1 + id) + 39u) & 63u] & 15u)) <= asint(12u)))
                            {
                                record(id, at, In[((i1 + id) + 31u) & 63u]);
                                [branch]
                                if (!((In[(id + 23u) & 63u] & 7u) < 7u))
                                {
                                    continue;
                                }
                                record(id, at, In[((i1 + id) + 30u) & 63u]);
                                record(id, at, lane);
                            }
                            else
                            {
                                record(id, at, (lane >> (2u & 31u)));
                            }
                        }
                        break;
                    }
                }
                record(id, at, 2u);
                v0 = min((i1 & (In[v2 & 63u] / (169u | 1u))), v0);
                record(id, at, (firstbitlow(min(v2, (i1 + lane)))));
            }
            record(id, at, (v2 / ((v3 / (In[(id + 52u) & 63u] | 1u)) | 1u)));
            if ((asint((In[(id + 7u) & 63u] & 3u)) <= asint(0u)))
            {
                record(id, at, max(v2, In[(id + 34u) & 63u]));
            }
        }
        else
        {
            if (((asint(((lane >> (1u & 31u)) & 7u)) <= asint(4u)) || (((lane >> (1u & 31u)) & 3u) < 1u)))
            {
                v0 = (In[(id + 14u) & 63u] / ((!(asint(((lane >> (1u & 31u)) & 7u)) <= asint(0u)) ? In[(id + 12u) & 63u] : (v3 + v3)) | 1u));
                [call]
                switch ((In[(id + 36u) & 63u] & 7u))
                {
                    case 3u:
                    {
                        [loop]
                        for (uint i2 = 0u; ; i2 = i2 + 1u)
                        {
                            if (!(i2 < (In[(id + 40u) & 63u] % 4u) && ((In[((i2 + id) + 3u) & 63u] & 7u) == 0u)))
                                break;
                            uint i3 = 0u;
                            [loop]
                            while (i3 < 7u)
                            {
                                i3 = i3 + 1u;
                                v1 = (379u / (asuint(max(asint((i3 + lane)), asint(895u))) | 1u));
                                [branch]
                                if (!((v0 & 3u) < 0u))
                                {
                                    record(id, at, (109u ^ (i3 + lane)));
                                    return;
                                }
                                record(id, at, 535u);
                            }
                            switch ((In[((i2 + id) + 56u) & 63u] & 7u))
                            {
                                case 3u:
                                case 4u:
                                default:
                                {
                                    record(id, at, In[((i2 + id) + 37u) & 63u]);
                                    record(id, at, (i2 + lane));
                                }
                                case 2u:
                                {
                                    record(id, at, (asuint(max(asint(In[((i2 + id) + 61u) & 63u]), asint(2u))) / (In[(id + 42u) & 63u] | 1u)));
                                    break;
                                }
                                case 1u:
                                case 7u:
                                {
                                    record(id, at, (v2 + 0u));
                                    break;
                                }
                                case 6u:
                                case 5u:
                                {
                                    record(id, at, (v0 + (lane >> (2u & 31u))));
                                    break;
                                }
                            }
                            break;
                        }
                        break;
                        break;
                    }
                    case 5u:
                    {
                        record(id, at, (((asint((In[(id + 28u) & 63u] & 3u)) < asint(((lane >> (1u & 31u)) & 3u))) && ((In[(id + 60u) & 63u] & 15u) <= (In[(id + 44u) & 63u] & 15u))) ? v0 : 826u));
                        break;
                    }
                    case 7u:
                    {
                        record(id, at, (v2 & 7u));
                        break;
                    }
                    case 1u:
                    default:
                    {
                        break;
                    }
                }
                record(id, at, v1);
            }
            else
            {
                record(id, at, v0);
            }
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
