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
    [loop]
    for (uint i0 = 0u; ; i0 = i0 + 1u)
    {
        if (!(i0 < 4u && (asint((In[46u & 63u] & 15u)) <= asint((In[(i0 + 59u) & 63u] & 15u)))))
            break;
        [loop]
        for (uint i1 = 0u; ; i1 = i1 + 1u)
        {
            if (!(i1 < 2u))
                break;
            record(id, at, i1);
            uint i2 = 0u;
            [loop]
            do
            {
                i2 = i2 + 1u;
                v1 = (((v3 % (v1 | 1u)) + (i1 + lane)) << ((((In[(id + 39u) & 63u] & 3u) < 2u) ? v3 : max(2147483647u, 218u)) & 31u));
                record(id, at, (reversebits((1u | (i0 + lane)))));
            }
            while (i2 < (In[(i1 + 9u) & 63u] % 6u) && (asint((i0 & 15u)) <= asint((In[34u & 63u] & 15u))));
        }
        [branch]
        if ((asint(((lane >> (2u & 31u)) & 3u)) <= asint(3u)))
        {
            record(id, at, (lane >> (3u & 31u)));
        }
        [branch]
        if ((((v1 & 3u) == 2u) && (asint((In[((i0 + id) + 59u) & 63u] & 3u)) <= asint(2u))))
        {
            return;
        }
        [branch]
        if (((In[(id + 36u) & 63u] & 3u) <= (In[(id + 7u) & 63u] & 3u)))
        {
            [branch]
            if ((asint(((lane >> (3u & 31u)) & 3u)) < asint(3u)))
            {
                record(id, at, (In[(id + 53u) & 63u] % (array[In[((i0 + id) + 37u) & 63u] & 3u] | 1u)));
                break;
            }
            if (((In[(id + 1u) & 63u] & 7u) < 5u))
            {
                break;
            }
            record(id, at, asuint(min(asint((array[In[((i0 + id) + 37u) & 63u] & 3u] ^ v3)), asint(In[In[((i0 + id) + 50u) & 63u] & 63u]))));
            for (uint i3 = 0u; i3 < ((i0 + lane) % 8u); i3 = i3 + 1u)
            {
                if ((asint((v2 & 1u)) <= asint((In[((i0 + id) + 5u) & 63u] & 1u))))
                {
                    [branch]
                    if (!(((v3 & 3u) == 2u) && (((lane >> (3u & 31u)) & 15u) == 8u)))
                    {
                        record(id, at, ((i3 + lane) | asuint(max(asint(v3), asint((lane >> (2u & 31u)))))));
                    }
                    else
                    {
                        array[In[(id + 4u) & 63u] & 3u] = (i3 + lane);
                    }
                    record(id, at, ((((v3 & 3u) < 0u) && (((lane >> (3u & 31u)) & 7u) == (In[(id + 30u) & 63u] & 7u))) ? In[(id + 29u) & 63u] : ((((i0 + lane) & 3u) == 1u) ? v3 : array[(i0 + lane) & 3u])));
                    [branch]
                    if ((asint((In[(id + 38u) & 63u] & 1u)) < asint(1u)))
                    {
                        record(id, at, In[(id + 16u) & 63u]);
                        return;
                    }
                    [call]
                    switch ((i0 & 3u))
                    {
                        case 2u:
                        case 0u:
                        default:
                        {
                            switch ((In[(id + 36u) & 63u] & 3u))
                            {
                                case 0u:
                                {
                                    record(id, at, (countbits((In[(i3 + lane) & 63u] & In[(id + 26u) & 63u]))));
                                    record(id, at, (v2 << (asuint(max(asint(array[In[(id + 57u) & 63u] & 3u]), asint(In[In[(id + 19u) & 63u] & 63u]))) & 31u)));
                                    record(id, at, v0);
                                    break;
                                }
                                case 3u:
                                {
                                    record(id, at, ((v2 ^ 5u) * asuint(min(asint(v0), asint(v1)))));
                                    record(id, at, lane);
                                    v2 = (In[(id + 2u) & 63u] + In[(id + 59u) & 63u]);
                                }
                                case 1u:
                                case 2u:
                                {
                                    v3 = asuint(asint(max((i3 + lane), In[((i3 + id) + 33u) & 63u])) >> (v2 & 31u));
                                    break;
                                }
                            }
                            break;
                        }
                    }
                }
                [loop]
                for (uint i4 = 0u; i4 < (In[((i3 + id) + 0u) & 63u] % 4u) && ((In[(id + 42u) & 63u] & 3u) == 1u); i4 = i4 + 1u)
                {
                    uint i5 = 0u;
                    do
                    {
                        i5 = i5 + 1u;
                        [branch]
                        switch ((In[(id + 51u) & 63u] & 3u))
                        {
                            case 1u:
                            case 2u:
                            {
                                [branch]
                                if ((asint((i5 & 1u)) < asint(1u)))
                                {
                                    return;
                                }
                                record(id, at, (((In[((i3 + id) + 3u) & 63u] & 7u) <= 7u) ? (In[In[(id + 18u) & 63u] & 63u] & v0) : asuint(asint(v1) >> (v1 & 31u))));
                                record(id, at, (((asint((In[((i0 + id) + 24u) & 63u] & 3u)) <= asint((In[((i5 + id) + 56u) & 63u] & 3u))) ? v2 : 5u) - 31u));
                                break;
                            }
                            case 3u:
                            default:
                            {
                                record(id, at, (((In[(id + 41u) & 63u] & 7u) == 0u) ? In[(id + 63u) & 63u] : (v1 + In[((i3 + id) + 3u) & 63u])));
                                v3 = In[lane & 63u];
                                v3 = v0;
                                break;
                            }
                        }
                        record(id, at, asuint(max(asint((i5 + lane)), asint(((asint((In[((i0 + id) + 57u) & 63u] & 15u)) < asint(12u)) ? array[In[((i0 + id) + 60u) & 63u] & 3u] : 23u)))));
                        record(id, at, In[In[(id + 45u) & 63u] & 63u]);
                    }
                    while (i5 < ((i4 + lane) % 3u));
                    record(id, at, (v3 / ((array[In[((i0 + id) + 19u) & 63u] & 3u] + v2) | 1u)));
                }
            }
        }
        else
        {
            uint i6 = 0u;
            [loop]
            do
            {
                i6 = i6 + 1u;
                [loop]
                for (uint i7 = 0u; i7 < 3u; i7 = i7 + 1u)
                {
                    v1 = In[(id + 33u) & 63u];
                }
            }
            while (i6 < (lane % 6u));
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
