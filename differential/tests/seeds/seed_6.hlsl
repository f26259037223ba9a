// trellis: cs_6_6 main -O1
// Random program, seed 6.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint Totals[4];

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

uint f0(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    switch (((lane >> (2u & 31u)) & 3u))
    {
        case 0u:
        case 3u:
        default:
        {
            record(id, at, ((v0 + v0) >> ((v2 + In[(id + 9u) & 63u]) & 31u)));
            [branch]
            if (((((v2 & 3u) != (In[(id + 39u) & 63u] & 3u)) && ((v0 & 15u) < 14u)) || (((In[(id + 25u) & 63u] & 3u) < 3u) || (asint((In[(id + 7u) & 63u] & 3u)) <= asint((lane & 3u))))))
            {
                v3 = min(In[(id + 26u) & 63u], (asuint(max(asint(31u), asint(v3))) | (162u << (v0 & 31u))));
                for (uint i0 = 0u; i0 < (v3 % 5u); i0 = i0 + 1u)
                {
                    switch ((In[((i0 + id) + 28u) & 63u] & 3u))
                    {
                        case 1u:
                        {
                            for (uint i1 = 0u; i1 < 2u && ((v0 & 3u) < 0u); i1 = i1 + 1u)
                            {
                                if ((((In[((i0 + id) + 37u) & 63u] & 1u) == 1u) && ((((i0 + lane) & 15u) == 13u) && (((i0 + lane) & 7u) <= 2u))))
                                {
                                    record(id, at, In[((i0 + id) + 60u) & 63u]);
                                    break;
                                }
                                record(id, at, ((In[In[(id + 62u) & 63u] & 63u] ^ i1) + ((asint(((i1 + lane) & 15u)) <= asint(10u)) ? v0 : v1)));
                            }
                            record(id, at, (In[(id + 1u) & 63u] | (v2 + v3)));
                            break;
                        }
                        case 0u:
                        case 3u:
                        {
                            record(id, at, (reversebits(v0)));
                        }
                        case 2u:
                        default:
                        {
                            record(id, at, (v2 << (v1 & 31u)));
                            break;
                        }
                    }
                }
            }
            else
            {
                record(id, at, v3);
            }
        }
        case 2u:
        {
            break;
        }
    }
    return v0;
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if ((((lane & 3u) < 0u) && (((In[(id + 8u) & 63u] & 3u) <= 3u) && ((lane & 1u) <= (In[(id + 23u) & 63u] & 1u)))))
    {
        record(id, at, v1);
    }
    v2 = lane;
    [branch]
    switch ((v2 & 3u))
    {
        case 1u:
        case 2u:
        default:
        {
            if ((asint((In[(id + 3u) & 63u] & 3u)) < asint(1u)))
            {
                return In[(id + 3u) & 63u];
            }
            record(id, at, v2);
        }
        case 3u:
        {
            record(id, at, (firstbitlow(max(In[(id + 58u) & 63u], v3))));
            break;
        }
        case 0u:
        {
            record(id, at, 2u);
            break;
        }
    }
    return ((((lane >> (2u & 31u)) & 1u) == 0u) ? max(In[(id + 63u) & 63u], 729u) : asuint(asint(843u) >> (In[(id + 52u) & 63u] & 31u)));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if ((((lane >> (1u & 31u)) & 3u) != (lane & 3u)))
    {
        [branch]
        if (((In[(id + 61u) & 63u] & 1u) != 1u))
        {
            v0 = v3;
            [branch]
            if ((asint((In[(id + 57u) & 63u] & 7u)) <= asint((In[(id + 8u) & 63u] & 7u))))
            {
                if (((In[(id + 44u) & 63u] & 15u) != 13u))
                {
                    record(id, at, (lane >> (2u & 31u)));
                    record(id, at, In[(id + 8u) & 63u]);
                }
            }
            else
            {
                uint i2 = 0u;
                while (i2 < (In[(id + 15u) & 63u] % 3u) && ((i2 & 15u) == 13u))
                {
                    i2 = i2 + 1u;
                    record(id, at, (In[((i2 + id) + 56u) & 63u] >> (asuint(max(asint(v0), asint(v0))) & 31u)));
                    record(id, at, (asuint(asint(1u) >> (In[(id + 47u) & 63u] & 31u)) + In[((i2 + id) + 52u) & 63u]));
                    [loop]
                    for (uint i3 = 0u; i3 < (lane % 5u); i3 = i3 + 1u)
                    {
                        record(id, at, v1);
                        record(id, at, (lane >> (2u & 31u)));
                    }
                }
            }
        }
    }
    else
    {
        record(id, at, asuint(asint(v0) >> (In[In[(id + 26u) & 63u] & 63u] & 31u)));
    }
    return 2u;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    if (lane < 4u) Totals[lane] = 0u;
    GroupMemoryBarrierWithGroupSync();
    uint array[4] = { v0, v1, v2, v3 };
    v3 = ((v0 >> ((v2 | v1) & 31u)) + QuadReadAcrossX(In[(id + 19u) & 63u]));
    if (((In[(id + 5u) & 63u] & 3u) <= 1u))
    {
        v0 = f0(id, lane, at, v0, (((In[(id + 17u) & 63u] & 7u) != 4u) ? In[(id + 13u) & 63u] : ((((In[(id + 6u) & 63u] & 7u) <= 6u) && ((In[(id + 39u) & 63u] & 3u) < 2u)) ? v3 : 2147483648u)));
        return;
    }
    record(id, at, (v2 + (2u + v3)));
    if (((asint((In[(id + 5u) & 63u] & 7u)) < asint((lane & 7u))) && ((((lane >> (3u & 31u)) & 3u) == 2u) || (asint((In[(id + 46u) & 63u] & 3u)) < asint((In[(id + 39u) & 63u] & 3u))))))
    {
        InterlockedMax(Totals[3], (((asint((v3 & 1u)) <= asint((In[(id + 37u) & 63u] & 1u))) || ((In[(id + 38u) & 63u] & 1u) != 0u)) ? In[(lane >> (2u & 31u)) & 63u] : (lane >> (3u & 31u))));
        record(id, at, (lane >> (1u & 31u)));
    }
    else
    {
        v1 = f1(id, lane, at, asuint(asint(v2) >> (In[(id + 5u) & 63u] & 31u)), (lane >> (3u & 31u)));
        if ((((In[(id + 43u) & 63u] & 3u) <= 1u) || ((In[(id + 33u) & 63u] & 3u) < 0u)))
        {
            v2 = (((asint((In[(id + 59u) & 63u] & 3u)) < asint((In[(id + 58u) & 63u] & 3u))) ? In[(id + 22u) & 63u] : In[(id + 28u) & 63u]) + (~(min(v1, 0u))));
            if (((In[(id + 37u) & 63u] & 3u) < 1u))
            {
                record(id, at, ((((In[(id + 7u) & 63u] & 3u) <= 1u) || ((In[(id + 0u) & 63u] & 3u) == 3u)) ? max(In[In[(id + 3u) & 63u] & 63u], v1) : In[(id + 37u) & 63u]));
                v1 = ((((v2 & 1u) == 0u) && (asint((In[(id + 1u) & 63u] & 3u)) < asint((In[(id + 37u) & 63u] & 3u)))) ? asuint(asint(63u) >> ((v3 & v0) & 31u)) : v1);
                record(id, at, 396u);
                [loop]
                for (uint i4 = 0u; i4 < (In[(id + 14u) & 63u] % 6u); i4 = i4 + 1u)
                {
                    v1 = (i4 + ((i4 + lane) + v1));
                    record(id, at, (asuint(asint(v1) >> (In[lane & 63u] & 31u)) >> ((lane * 180u) & 31u)));
                }
            }
            else
            {
                [branch]
                if (((In[(id + 58u) & 63u] & 3u) != (lane & 3u)))
                {
                    return;
                }
            }
        }
        [branch]
        if (!((In[(id + 33u) & 63u] & 3u) <= 3u))
        {
            record(id, at, (((In[(id + 31u) & 63u] & 3u) != 1u) ? v3 : v1));
            return;
        }
    }
    v1 = In[(id + 32u) & 63u];
    [branch]
    if (((In[(id + 6u) & 63u] & 7u) != 4u))
    {
        record(id, at, ((v3 & v2) ^ (lane >> (2u & 31u))));
        if (!!(asint((v2 & 3u)) <= asint(2u)))
        {
            [call]
            switch ((lane & 3u))
            {
                case 0u:
                default:
                {
                    if (!(((In[(id + 56u) & 63u] & 7u) <= (In[(id + 27u) & 63u] & 7u)) || (asint((In[(id + 12u) & 63u] & 1u)) < asint(0u))))
                    {
                        record(id, at, (1u >> ((lane % (In[(id + 45u) & 63u] | 1u)) & 31u)));
                        uint i5 = 0u;
                        [loop]
                        while (i5 < (lane % 3u))
                        {
                            i5 = i5 + 1u;
                            [loop]
                            for (uint i6 = 0u; i6 < 5u; i6 = i6 + 1u)
                            {
                                v3 = (((asint(((i5 + lane) & 1u)) < asint(0u)) ? max(2u, v1) : ((i5 + lane) + 620u)) * lane);
                                record(id, at, In[((i5 + id) + 33u) & 63u]);
                            }
                        }
                    }
                    else
                    {
                        record(id, at, max(v2, v2));
                    }
                    break;
                }
            }
            record(id, at, In[(id + 61u) & 63u]);
        }
        return;
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
