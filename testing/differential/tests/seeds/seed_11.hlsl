// trellis: cs_6_6 main -O1
// Random program, seed 11.

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
    record(id, at, In[(id + 25u) & 63u]);
    if (((((In[(id + 0u) & 63u] & 15u) == 0u) && (asint((In[(id + 19u) & 63u] & 15u)) <= asint((asuint(max(asint(In[(id + 37u) & 63u]), asint(1u))) & 15u)))) && (((lane & 7u) <= 7u) && ((In[(id + 40u) & 63u] & 7u) == 7u))))
    {
        [branch]
        if ((((asint((In[(id + 33u) & 63u] & 1u)) < asint((In[(id + 49u) & 63u] & 1u))) || (asint((lane & 3u)) <= asint(2u))) && ((In[(id + 57u) & 63u] & 1u) == 1u)))
        {
            if ((asint(((lane >> (3u & 31u)) & 7u)) <= asint(5u)))
            {
                record(id, at, (asuint(max(asint(548u), asint(31u))) * (In[(id + 6u) & 63u] << (In[In[(id + 12u) & 63u] & 63u] & 31u))));
                record(id, at, WaveActiveBallot(true).x);
                v3 = (In[(id + 18u) & 63u] + ((In[(id + 46u) & 63u] & In[(id + 34u) & 63u]) << (WaveMatch(v2).x & 31u)));
            }
            record(id, at, WavePrefixCountBits(((In[(id + 6u) & 63u] & 15u) == 4u)));
            record(id, at, WavePrefixCountBits((asint((WaveActiveMax(v3) & 1u)) < asint(0u))));
            [branch]
            if (((((In[(id + 22u) & 63u] & 15u) <= 3u) && ((In[(id + 9u) & 63u] & 3u) == ((lane >> (2u & 31u)) & 3u))) || ((0u & 1u) < (In[(id + 49u) & 63u] & 1u))))
            {
                record(id, at, (791u + 4294967295u));
                return 5u;
            }
        }
        else
        {
            record(id, at, WavePrefixSum(In[(id + 36u) & 63u]));
        }
    }
    else
    {
        record(id, at, asuint(min(asint(985u), asint(1u))));
    }
    return ((v3 & v0) + (firstbithigh(In[In[(id + 30u) & 63u] & 63u])));
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if (((v2 & 15u) != 8u))
    {
        record(id, at, (v3 + v0));
    }
    v3 = (lane >> (1u & 31u));
    if (((asint((In[(id + 5u) & 63u] & 7u)) < asint((In[(id + 32u) & 63u] & 7u))) || ((In[(id + 54u) & 63u] & 3u) <= 2u)))
    {
        record(id, at, ((v1 & 65535u) ^ 407u));
        record(id, at, v0);
    }
    return In[(id + 3u) & 63u];
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, ((lane >> (3u & 31u)) + In[In[(id + 18u) & 63u] & 63u]));
    [loop]
    for (uint i0 = 0u; i0 < 6u; i0 = i0 + 1u)
    {
        [branch]
        if ((((i0 + lane) & 3u) < 1u))
        {
            break;
        }
    }
    return (((((lane >> (3u & 31u)) & 1u) == 0u) && ((In[(id + 40u) & 63u] & 3u) != 3u)) ? (countbits(v0)) : In[(id + 23u) & 63u]);
}

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [call]
    switch ((In[(id + 35u) & 63u] & 3u))
    {
        case 1u:
        default:
        {
            record(id, at, WaveActiveBallot(true).x);
            v1 = f1(id, lane, at, WaveActiveCountBits(WaveActiveAnyTrue(((In[(id + 45u) & 63u] & 7u) != 0u))), min(WaveActiveBitAnd(v0), v2));
            break;
        }
        case 0u:
        case 2u:
        {
        }
        case 3u:
        {
            v2 = f0(id, lane, at, asuint(max(asint(v2), asint(v3))), WaveActiveBallot(((In[(id + 37u) & 63u] & 15u) == 9u)).x);
            v0 = f0(id, lane, at, WaveActiveSum(In[In[(id + 19u) & 63u] & 63u]), (((In[(id + 5u) & 63u] & 15u) <= 3u) ? In[(id + 20u) & 63u] : In[(id + 44u) & 63u]));
            if ((asint((In[(id + 58u) & 63u] & 15u)) <= asint((In[(id + 13u) & 63u] & 15u))))
            {
                [call]
                switch ((In[(id + 14u) & 63u] & 3u))
                {
                    case 3u:
                    default:
                    {
                        if (((lane & 15u) == 10u))
                        {
                            [loop]
                            for (uint i1 = 0u; i1 < (In[(id + 28u) & 63u] % 2u); i1 = i1 + 1u)
                            {
                                switch ((In[((i1 + id) + 49u) & 63u] & 3u))
                                {
                                    case 2u:
                                    default:
                                    {
                                        if (!((In[((i1 + id) + 51u) & 63u] & 7u) != ((i1 + lane) & 7u)))
                                        {
                                            break;
                                        }
                                        break;
                                    }
                                    case 3u:
                                    {
                                        record(id, at, (asuint(min(asint(In[((i1 + id) + 31u) & 63u]), asint(In[i1 & 63u]))) >> (v2 & 31u)));
                                        [branch]
                                        if ((((i1 + lane) & 15u) <= 3u))
                                        {
                                            continue;
                                        }
                                        break;
                                    }
                                    case 1u:
                                    case 0u:
                                    {
                                        v1 = (v3 ^ (In[((i1 + id) + 55u) & 63u] + In[((i1 + id) + 37u) & 63u]));
                                        record(id, at, v1);
                                        record(id, at, ((firstbitlow(5u)) - min((i1 + lane), In[lane & 63u])));
                                        break;
                                    }
                                }
                                [branch]
                                if (((lane & 3u) < (i1 & 3u)))
                                {
                                    record(id, at, (~((firstbithigh(148u)))));
                                    v3 = (((((i1 + lane) & 3u) != (In[((i1 + id) + 39u) & 63u] & 3u)) ? (v0 / (v0 | 1u)) : asuint(min(asint(v0), asint((i1 & (lane >> (1u & 31u))))))) ^ ((v3 << (v3 & 31u)) | (((In[(id + 3u) & 63u] & 3u) == 3u) ? (v1 % (v3 | 1u)) : (i1 + lane))));
                                    record(id, at, WaveActiveCountBits(((In[((i1 + id) + 54u) & 63u] & 3u) != 1u)));
                                    record(id, at, (lane >> (3u & 31u)));
                                }
                                else
                                {
                                    record(id, at, WaveActiveBallot(true).x);
                                }
                                record(id, at, WaveActiveBallot(true).x);
                                [branch]
                                if ((((In[((i1 + id) + 29u) & 63u] & 7u) < 2u) && !WaveActiveAnyTrue(((In[((i1 + id) + 14u) & 63u] & 7u) != (In[((i1 + id) + 57u) & 63u] & 7u)))))
                                {
                                    record(id, at, (((In[(id + 62u) & 63u] & 3u) == ((i1 + lane) & 3u)) ? WaveActiveCountBits((asint((lane & 15u)) < asint(10u))) : ((asint((In[((i1 + id) + 29u) & 63u] & 7u)) < asint(2u)) ? (v3 & 31u) : v3)));
                                    v1 = WaveActiveBitXor(WaveActiveBitAnd((In[(id + 4u) & 63u] << (717u & 31u))));
                                    record(id, at, ((asint(((i1 + lane) & 15u)) < asint((v0 & 15u))) ? ((asint((v3 & 7u)) <= asint(2u)) ? 718u : In[((i1 + id) + 13u) & 63u]) : min(In[((i1 + id) + 27u) & 63u], v0)));
                                }
                                v3 = (WaveActiveCountBits(((((i1 + lane) & 15u) < (i1 & 15u)) || ((i1 & 3u) <= 1u))) ^ WaveActiveProduct((In[(i1 + lane) & 63u] / (lane | 1u))));
                            }
                            record(id, at, ((In[v3 & 63u] / (421u | 1u)) * (895u + v3)));
                            v0 = f0(id, lane, at, In[(id + 32u) & 63u], (asuint(min(asint(In[(id + 9u) & 63u]), asint((lane >> (2u & 31u))))) % ((In[(id + 12u) & 63u] + (v0 & 255u)) | 1u)));
                            for (uint i2 = 0u; i2 < (lane % 8u) && ((asint((i2 & 1u)) < asint(0u)) && ((lane & 15u) < 0u)); i2 = i2 + 1u)
                            {
                                [branch]
                                if (!((asint((v1 & 15u)) < asint(11u)) && ((v3 & 3u) != 0u)))
                                {
                                    break;
                                }
                                v2 = WaveActiveSum((WaveMatch(In[i2 & 63u]).x + (!(((i2 + lane) & 3u) == ((i2 + v3) & 3u)) ? v1 : (i2 + lane))));
                                [branch]
                                if ((asint(((lane >> (2u & 31u)) & 3u)) <= asint((In[(id + 26u) & 63u] & 3u))))
                                {
                                    record(id, at, WaveActiveBitXor(v3));
                                    continue;
                                }
                            }
                        }
                        else
                        {
                            record(id, at, (lane >> (3u & 31u)));
                        }
                        record(id, at, In[(id + 24u) & 63u]);
                        break;
                    }
                }
            }
            break;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
