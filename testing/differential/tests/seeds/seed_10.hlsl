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
    [branch]
    if ((((asint((In[(id + 40u) & 63u] & 3u)) < asint(1u)) && (asint((In[(id + 35u) & 63u] & 7u)) <= asint(3u))) && ((In[(id + 53u) & 63u] & 15u) != 6u)))
    {
        for (uint i0 = 0u; ; i0 = i0 + 1u)
        {
            if (!(i0 < ((lane >> (1u & 31u)) % 7u)))
                break;
            record(id, at, (((((In[(id + 41u) & 63u] & 7u) < 5u) || (asint((lane & 1u)) <= asint((In[((i0 + id) + 20u) & 63u] & 1u)))) ? (lane >> (2u & 31u)) : 519u) ^ ((((v3 & 7u) < ((i0 + lane) & 7u)) && ((In[((i0 + id) + 32u) & 63u] & 1u) <= 1u)) ? v2 : v0)));
            record(id, at, asuint(max(asint((i0 + lane)), asint(((i0 + lane) & 2147483648u)))));
            return v1;
        }
        uint i1 = 0u;
        while (i1 < (In[(id + 10u) & 63u] % 4u) && ((v3 & 15u) < 15u))
        {
            i1 = i1 + 1u;
            record(id, at, In[((i1 + id) + 9u) & 63u]);
        }
        return v3;
    }
    else
    {
        record(id, at, (In[(id + 4u) & 63u] / (v3 | 1u)));
        [loop]
        for (uint i2 = 0u; i2 < 3u; i2 = i2 + 1u)
        {
            v2 = (lane >> (2u & 31u));
        }
        record(id, at, (In[(id + 16u) & 63u] % (In[(id + 62u) & 63u] | 1u)));
    }
    return In[(id + 48u) & 63u];
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    v3 = (((In[(id + 60u) & 63u] & 7u) == 4u) ? In[(id + 13u) & 63u] : In[(id + 44u) & 63u]);
    [branch]
    if (((In[8u & 63u] & 1u) != (In[57u & 63u] & 1u)))
    {
        record(id, at, max(v0, In[(id + 30u) & 63u]));
        return In[(id + 15u) & 63u];
    }
    record(id, at, In[(id + 40u) & 63u]);
    record(id, at, In[(id + 6u) & 63u]);
    return In[(id + 51u) & 63u];
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if (!(asint((In[18u & 63u] & 7u)) < asint(5u)))
    {
        record(id, at, (0u - (833u)));
    }
    uint i3 = 0u;
    while (i3 < 3u && ((In[36u & 63u] & 15u) <= 9u))
    {
        i3 = i3 + 1u;
        record(id, at, In[((i3 + id) + 16u) & 63u]);
        record(id, at, In[(id + 60u) & 63u]);
        break;
    }
    return (In[(id + 3u) & 63u] + (2u - In[In[(id + 8u) & 63u] & 63u]));
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, In[(id + 7u) & 63u]);
    record(id, at, (reversebits((495u >> (v3 & 31u)))));
    [loop]
    for (uint i4 = 0u; i4 < (In[3u & 63u] % 7u); i4 = i4 + 1u)
    {
        uint i5 = 0u;
        [loop]
        do
        {
            i5 = i5 + 1u;
            for (uint i6 = 0u; i6 < (In[(id + 4u) & 63u] % 2u); i6 = i6 + 1u)
            {
                switch ((In[(id + 18u) & 63u] & 7u))
                {
                    case 0u:
                    default:
                    {
                        [branch]
                        if (((lane & 7u) < 5u))
                        {
                            record(id, at, (In[((i6 + id) + 33u) & 63u] + In[In[((i6 + id) + 19u) & 63u] & 63u]));
                            break;
                        }
                        record(id, at, v2);
                        break;
                    }
                }
                [branch]
                if ((((i6 & 7u) <= (lane & 7u)) && ((((i4 + lane) & 1u) <= 0u) || ((i5 & 3u) < 0u))))
                {
                    break;
                }
            }
            record(id, at, (lane - (v0 + v0)));
        }
        while (i5 < (In[((i4 + id) + 62u) & 63u] % 7u));
        if ((asint((In[46u & 63u] & 1u)) <= asint(0u)))
        {
            if ((asint((In[((i4 + id) + 40u) & 63u] & 3u)) < asint(((i4 + lane) & 3u))))
            {
                break;
            }
            for (uint i7 = 0u; i7 < ((i4 + lane) % 5u) && (asint((In[(id + 15u) & 63u] & 3u)) < asint(1u)); i7 = i7 + 1u)
            {
                [branch]
                if ((((i4 + lane) & 3u) != 0u))
                {
                    uint i8 = 0u;
                    while (i8 < (In[((i7 + id) + 46u) & 63u] % 5u) && (asint((lane & 15u)) < asint(((i7 + lane) & 15u))))
                    {
                        i8 = i8 + 1u;
                        record(id, at, (!((lane & 1u) < 1u) ? (v3 + (i8 + lane)) : 170u));
                        record(id, at, ((2u >> ((v0 & 7u) & 31u)) % (v1 | 1u)));
                        v1 = ((lane >> (1u & 31u)) ^ (In[((i4 + id) + 30u) & 63u] * In[((i7 + id) + 54u) & 63u]));
                        for (uint i9 = 0u; i9 < ((lane >> (1u & 31u)) % 2u); i9 = i9 + 1u)
                        {
                            if (((((i7 + lane) & 3u) < 0u) && (((i9 + lane) & 3u) < (In[(id + 24u) & 63u] & 3u))))
                            {
                                continue;
                            }
                            record(id, at, (In[In[(id + 34u) & 63u] & 63u] * (v0 & 7u)));
                        }
                    }
                    if ((((In[((i4 + id) + 51u) & 63u] & 7u) <= 5u) && (((i7 + lane) & 7u) <= (In[(id + 32u) & 63u] & 7u))))
                    {
                        [branch]
                        if (((((lane >> (3u & 31u)) & 3u) <= 3u) && (asint((In[((i4 + id) + 29u) & 63u] & 15u)) <= asint(15u))))
                        {
                            record(id, at, v3);
                            record(id, at, (firstbithigh(((i7 + lane) / (479u | 1u)))));
                            record(id, at, (lane >> (2u & 31u)));
                            v1 = ((firstbitlow(max(In[((i4 + id) + 40u) & 63u], v0))) * (i4 + lane));
                            continue;
                        }
                        if ((asint(((lane >> (3u & 31u)) & 3u)) < asint(0u)))
                        {
                            break;
                        }
                        record(id, at, i4);
                        [loop]
                        for (uint i10 = 0u; i10 < (v3 % 7u) && ((v2 & 3u) < 1u); i10 = i10 + 1u)
                        {
                            record(id, at, (v3 << (asuint(asint(In[In[((i4 + id) + 55u) & 63u] & 63u]) >> (4294967295u & 31u)) & 31u)));
                            record(id, at, (((In[(id + 56u) & 63u] & 3u) <= 0u) ? In[lane & 63u] : (596u | In[i10 & 63u])));
                            v2 = (i10 + lane);
                        }
                        return;
                    }
                    else
                    {
                        [loop]
                        for (uint i11 = 0u; i11 < 4u; i11 = i11 + 1u)
                        {
                            record(id, at, i4);
                        }
                        switch ((In[((i4 + id) + 11u) & 63u] & 7u))
                        {
                            case 4u:
                            case 2u:
                            default:
                            {
                                record(id, at, ((lane >> (2u & 31u)) + v2));
                                record(id, at, 5u);
                                continue;
                                break;
                            }
                            case 1u:
                            {
                                record(id, at, (lane >> ((v3 << (In[In[(id + 54u) & 63u] & 63u] & 31u)) & 31u)));
                                [branch]
                                if ((asint((In[(id + 8u) & 63u] & 3u)) < asint((In[((i7 + id) + 40u) & 63u] & 3u))))
                                {
                                    break;
                                }
                                record(id, at, (In[In[((i7 + id) + 5u) & 63u] & 63u] ^ (In[(id + 19u) & 63u] << ((i4 + lane) & 31u))));
                                break;
                            }
                            case 0u:
                            {
                                record(id, at, (i4 + lane));
                            }
                            case 6u:
                            {
                                record(id, at, (i7 + lane));
                                break;
                            }
                        }
                    }
                }
            }
            continue;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
