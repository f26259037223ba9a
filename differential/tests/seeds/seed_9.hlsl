// trellis: cs_6_6 main -Od
// Random program, seed 9.

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
    record(id, at, (In[(id + 50u) & 63u] + (2147483647u / (v1 | 1u))));
    record(id, at, lane);
    record(id, at, (v1 + In[(id + 62u) & 63u]));
    record(id, at, asuint(asint(((((In[(id + 45u) & 63u] & 15u) < 0u) && (asint((v0 & 1u)) < asint((In[(id + 48u) & 63u] & 1u)))) ? In[(id + 5u) & 63u] : In[(id + 10u) & 63u])) >> ((firstbithigh(In[In[(id + 54u) & 63u] & 63u])) & 31u)));
    v1 = (((In[(id + 47u) & 63u] & 3u) == (In[(id + 15u) & 63u] & 3u)) ? In[(id + 37u) & 63u] : (In[(id + 32u) & 63u] ^ asuint(asint(In[In[(id + 37u) & 63u] & 63u]) >> (In[(id + 63u) & 63u] & 31u))));
    uint i0 = 0u;
    [loop]
    while (i0 < (In[(id + 28u) & 63u] % 5u) && (asint((In[((i0 + id) + 40u) & 63u] & 1u)) < asint((lane & 1u))))
    {
        i0 = i0 + 1u;
        record(id, at, i0);
        record(id, at, v3);
        [unroll]
        for (uint i1 = 0u; i1 < 3u; i1 = i1 + 1u)
        {
            record(id, at, (v1 + 2u));
            if ((asint((In[(id + 52u) & 63u] & 15u)) <= asint((v2 & 15u))))
            {
                record(id, at, In[((i0 + id) + 14u) & 63u]);
                break;
            }
            [loop]
            for (uint i2 = 0u; ; i2 = i2 + 1u)
            {
                if (!(i2 < ((lane >> (2u & 31u)) % 2u)))
                    break;
                record(id, at, (((i0 + lane) % (640u | 1u)) * v2));
                [branch]
                if ((((i0 & 15u) < 7u) || ((lane & 15u) == (lane & 15u))))
                {
                    [branch]
                    switch ((In[((i1 + id) + 61u) & 63u] & 3u))
                    {
                        case 2u:
                        {
                            record(id, at, 2147483648u);
                            switch (((lane >> (1u & 31u)) & 7u))
                            {
                                case 0u:
                                default:
                                {
                                    record(id, at, ((((i2 & 15u) < (i2 & 15u)) && (asint((i1 & 7u)) <= asint(3u))) ? (i2 + lane) : (v1 % (In[v1 & 63u] | 1u))));
                                    record(id, at, In[(i2 + lane) & 63u]);
                                    v2 = (((v1 ^ v1) | v1) * In[(lane >> (2u & 31u)) & 63u]);
                                    break;
                                }
                                case 4u:
                                {
                                    record(id, at, (((((i2 + lane) & 1u) == 0u) ? 264u : i1) + ((asint((i0 & 7u)) <= asint(1u)) ? 0u : 4294967295u)));
                                    v3 = (lane >> (2u & 31u));
                                    record(id, at, (!((In[((i1 + id) + 17u) & 63u] & 3u) <= 2u) ? (v3 & In[In[((i0 + id) + 17u) & 63u] & 63u]) : 2147483647u));
                                    continue;
                                    break;
                                }
                            }
                            record(id, at, (!(asint((In[(id + 34u) & 63u] & 3u)) < asint((In[((i0 + id) + 22u) & 63u] & 3u))) ? (v3 + In[(id + 16u) & 63u]) : lane));
                            break;
                            break;
                        }
                        case 0u:
                        {
                            record(id, at, ((asint(((i0 + lane) & 15u)) <= asint((In[((i0 + id) + 58u) & 63u] & 15u))) ? 2147483647u : (lane >> (3u & 31u))));
                            record(id, at, (i1 + lane));
                            break;
                        }
                        case 3u:
                        case 1u:
                        {
                            switch ((In[((i0 + id) + 31u) & 63u] & 3u))
                            {
                                case 0u:
                                default:
                                {
                                    [branch]
                                    if ((asint((v1 & 7u)) < asint(6u)))
                                    {
                                        record(id, at, (v0 ^ In[(id + 29u) & 63u]));
                                        break;
                                    }
                                    break;
                                }
                            }
                        }
                        default:
                        {
                            [branch]
                            if (((In[(id + 59u) & 63u] & 7u) < 0u))
                            {
                                record(id, at, asuint(min(asint(In[(id + 3u) & 63u]), asint((v2 >> (2147483648u & 31u))))));
                                record(id, at, v2);
                                record(id, at, (In[((i1 + id) + 25u) & 63u] - In[((i1 + id) + 45u) & 63u]));
                                record(id, at, In[((i0 + id) + 1u) & 63u]);
                            }
                            record(id, at, ((((asint((In[(id + 36u) & 63u] & 3u)) < asint((In[((i2 + id) + 0u) & 63u] & 3u))) && (asint((In[((i0 + id) + 43u) & 63u] & 3u)) <= asint(0u))) ? In[(id + 37u) & 63u] : (lane >> (3u & 31u))) % ((lane >> (1u & 31u)) | 1u)));
                            break;
                        }
                    }
                }
                else
                {
                    record(id, at, (lane >> (1u & 31u)));
                }
            }
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
