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
        for (uint i1 = 0u; ; i1 = i1 + 1u)
        {
            if (!(i1 < 6u && (asint((i0 & 7u)) <= asint((In[((i1 + id) + 60u) & 63u] & 7u)))))
                break;
            if (((In[((i1 + id) + 48u) & 63u] & 15u) == 3u))
            {
                record(id, at, In[(id + 2u) & 63u]);
                return (In[(id + 48u) & 63u] * 1u);
            }
            if (((i0 & 1u) != 0u))
            {
                return In[((i1 + id) + 5u) & 63u];
            }
            break;
        }
    }
    return ((v2 << (In[(id + 12u) & 63u] & 31u)) + In[(id + 51u) & 63u]);
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if (((In[(id + 21u) & 63u] & 3u) == 1u))
    {
        if ((asint((In[(id + 28u) & 63u] & 15u)) < asint(2u)))
        {
            record(id, at, In[(id + 52u) & 63u]);
        }
        else
        {
            record(id, at, max(In[(id + 12u) & 63u], In[In[(id + 7u) & 63u] & 63u]));
            if ((asint((In[(id + 12u) & 63u] & 15u)) <= asint(6u)))
            {
                record(id, at, max(v0, In[(id + 29u) & 63u]));
            }
            v2 = (((In[(id + 39u) & 63u] & 15u) <= 7u) ? (((asint((In[(id + 52u) & 63u] & 1u)) < asint(0u)) && ((v1 & 3u) == 2u)) ? (312u >> (In[(id + 63u) & 63u] & 31u)) : (v1 | v2)) : In[(id + 46u) & 63u]);
        }
        record(id, at, (In[v3 & 63u] << (v3 & 31u)));
    }
    else
    {
        record(id, at, (((lane & 1u) < (In[(id + 32u) & 63u] & 1u)) ? lane : lane));
    }
    return (((((lane >> (3u & 31u)) & 7u) <= 6u) && (asint((In[(id + 51u) & 63u] & 1u)) <= asint((In[(id + 48u) & 63u] & 1u)))) ? (856u << (931u & 31u)) : (v0 ^ v1));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    switch ((In[(id + 16u) & 63u] & 3u))
    {
        case 1u:
        {
            [branch]
            switch ((In[(id + 4u) & 63u] & 3u))
            {
                case 2u:
                default:
                {
                    [branch]
                    if (((lane & 3u) == 0u))
                    {
                        [branch]
                        if (((In[(id + 22u) & 63u] & 7u) != ((lane >> (3u & 31u)) & 7u)))
                        {
                            v0 = lane;
                            [loop]
                            for (uint i2 = 0u; i2 < 6u; i2 = i2 + 1u)
                            {
                                record(id, at, max(936u, (v3 % (v1 | 1u))));
                                record(id, at, lane);
                                record(id, at, In[((i2 + id) + 26u) & 63u]);
                                record(id, at, (v3 & asuint(min(asint((i2 + lane)), asint(v0)))));
                            }
                            for (uint i3 = 0u; i3 < (In[(id + 58u) & 63u] % 2u); i3 = i3 + 1u)
                            {
                                record(id, at, (In[((i3 + id) + 29u) & 63u] | ((((v1 & 3u) == 1u) || ((i3 & 7u) != (v2 & 7u))) ? 725u : 1u)));
                            }
                            break;
                        }
                    }
                    else
                    {
                        record(id, at, v2);
                    }
                    break;
                }
            }
        }
        case 0u:
        default:
        {
            record(id, at, (((In[(id + 13u) & 63u] & 7u) < 5u) ? v2 : v2));
        }
        case 2u:
        {
            record(id, at, (firstbitlow(In[(id + 28u) & 63u])));
            break;
        }
    }
    return (lane >> ((In[v3 & 63u] + In[In[(id + 20u) & 63u] & 63u]) & 31u));
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if (((In[44u & 63u] & 15u) < 11u))
    {
        [loop]
        for (uint i4 = 0u; i4 < (In[(id + 58u) & 63u] % 5u) && ((((i4 + lane) & 7u) != 6u) || (asint(((lane >> (3u & 31u)) & 3u)) < asint(2u))); i4 = i4 + 1u)
        {
            uint i5 = 0u;
            [loop]
            do
            {
                i5 = i5 + 1u;
                [branch]
                if ((asint((In[((i5 + id) + 34u) & 63u] & 1u)) < asint(1u)))
                {
                    uint i6 = 0u;
                    [loop]
                    while (i6 < ((i4 + lane) % 4u))
                    {
                        i6 = i6 + 1u;
                        v2 = f1(id, lane, at, (In[i5 & 63u] << (201u & 31u)), In[(id + 1u) & 63u]);
                        uint i7 = 0u;
                        do
                        {
                            i7 = i7 + 1u;
                            record(id, at, (In[(id + 54u) & 63u] % (In[(id + 28u) & 63u] | 1u)));
                            record(id, at, (~(((((i4 + lane) & 3u) != 0u) ? 2147483647u : v2))));
                            record(id, at, (asuint(max(asint(2147483647u), asint(4294967295u))) / (In[((i7 + id) + 5u) & 63u] | 1u)));
                            v1 = (((In[(id + 24u) & 63u] & 3u) <= 3u) ? lane : asuint(max(asint(((((i5 & 3u) == 0u) && (asint(((i5 + lane) & 7u)) < asint((i4 & 7u)))) ? v2 : v0)), asint((530u + In[((i5 + id) + 63u) & 63u])))));
                            break;
                        }
                        while (i7 < 2u && (((In[((i5 + id) + 33u) & 63u] & 1u) != 1u) || ((In[(id + 13u) & 63u] & 3u) <= (In[((i6 + id) + 2u) & 63u] & 3u))));
                        uint i8 = 0u;
                        [loop]
                        while (i8 < ((lane >> (1u & 31u)) % 2u))
                        {
                            i8 = i8 + 1u;
                            record(id, at, i6);
                            if (((v1 & 3u) != 0u))
                            {
                                record(id, at, In[((i6 + id) + 10u) & 63u]);
                                return;
                            }
                            v0 = ((((lane >> (1u & 31u)) + v2) | max(931u, v2)) ^ (((In[(id + 44u) & 63u] & 15u) == (lane & 15u)) ? lane : (In[((i5 + id) + 47u) & 63u] >> (v3 & 31u))));
                            record(id, at, (2147483647u / (i6 | 1u)));
                            [branch]
                            if ((asint((lane & 3u)) < asint(3u)))
                            {
                                record(id, at, (In[v3 & 63u] - In[((i8 + id) + 14u) & 63u]));
                                break;
                            }
                        }
                        switch ((In[(id + 5u) & 63u] & 7u))
                        {
                            case 7u:
                            {
                                record(id, at, v0);
                                record(id, at, ((v3 ^ In[((i5 + id) + 32u) & 63u]) / (v2 | 1u)));
                            }
                            case 6u:
                            {
                                record(id, at, (i6 + lane));
                                v0 = (0u - ((!((i6 & 3u) <= 3u) ? lane : lane)));
                                [branch]
                                if (((In[((i5 + id) + 6u) & 63u] & 3u) == (i5 & 3u)))
                                {
                                    break;
                                }
                                break;
                            }
                            case 3u:
                            case 1u:
                            {
                                break;
                            }
                        }
                    }
                    [branch]
                    if ((asint((In[(id + 47u) & 63u] & 15u)) < asint((v3 & 15u))))
                    {
                        continue;
                    }
                }
            }
            while (i5 < (v1 % 6u));
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
