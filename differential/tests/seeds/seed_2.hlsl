// trellis: cs_6_0 main -O0
// Random program, seed 2.

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
    record(id, at, asuint(min(asint((v0 * v1)), asint((In[v2 & 63u] ^ In[(id + 41u) & 63u])))));
    record(id, at, ((884u | v2) - min(71u, 724u)));
    return (countbits((firstbitlow(asuint(min(asint(v0), asint(v0)))))));
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    uint i0 = 0u;
    do
    {
        i0 = i0 + 1u;
        record(id, at, WaveActiveBallot((asint(((In[In[((i0 + id) + 24u) & 63u] & 63u] / (v2 | 1u)) & 3u)) < asint(3u))).x);
        [branch]
        if (((In[((i0 + id) + 62u) & 63u] & 1u) <= 1u))
        {
            record(id, at, WavePrefixSum(In[(id + 12u) & 63u]));
            break;
        }
        record(id, at, (((i0 & 7u) < 4u) ? WaveActiveBallot(!((In[(id + 43u) & 63u] & 7u) != (In[(id + 38u) & 63u] & 7u))).x : WaveActiveMax(v0)));
        if ((!((In[(id + 41u) & 63u] & 3u) != 0u) && ((i0 & 7u) <= 1u)))
        {
            [loop]
            for (uint i1 = 0u; i1 < 5u; i1 = i1 + 1u)
            {
                record(id, at, (max((lane >> (1u & 31u)), In[In[((i0 + id) + 30u) & 63u] & 63u]) * (127u + In[(id + 58u) & 63u])));
                [loop]
                for (uint i2 = 0u; ; i2 = i2 + 1u)
                {
                    if (!(i2 < 2u && ((((i0 + lane) & 3u) < (i2 & 3u)) && (asint(((i2 + lane) & 1u)) <= asint((v0 & 1u))))))
                        break;
                    v2 = WavePrefixProduct((i1 + lane));
                    if ((asint((In[((i2 + id) + 6u) & 63u] & 1u)) < asint(((In[(lane >> (2u & 31u)) & 63u] & v3) & 1u))))
                    {
                        record(id, at, (((In[((i2 + id) + 56u) & 63u] & 15u) == 14u) ? v0 : v2));
                        break;
                    }
                    record(id, at, WaveActiveBallot(true).x);
                }
                record(id, at, ((v3 * (i0 + lane)) * (In[i0 & 63u] & 333u)));
            }
            continue;
        }
        else
        {
            record(id, at, asuint(min(asint(4294967295u), asint((i0 + lane)))));
        }
    }
    while (i0 < (In[(id + 12u) & 63u] % 8u) && ((((i0 + lane) & 3u) < 0u) || (asint(((i0 + lane) & 3u)) <= asint(((lane >> (1u & 31u)) & 3u)))));
    return (WavePrefixCountBits(!(((lane >> (1u & 31u)) & 3u) < 1u)) ^ (v3 * 579u));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    v0 = v1;
    return WavePrefixCountBits(!(((lane >> (1u & 31u)) & 1u) <= 0u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if (((((In[7u & 63u] & 3u) < 3u) && (asint((In[63u & 63u] & 3u)) < asint(0u))) && ((In[42u & 63u] & 1u) < 0u)))
    {
        if (((asint((In[45u & 63u] & 15u)) <= asint(9u)) || ((In[8u & 63u] & 3u) == 2u)))
        {
            record(id, at, WavePrefixProduct((v3 + In[v2 & 63u])));
        }
        else
        {
            v1 = f2(id, lane, at, v1, v2);
            if ((asint((In[9u & 63u] & 7u)) <= asint(4u)))
            {
                record(id, at, lane);
                return;
            }
            [unroll]
            for (uint i3 = 0u; i3 < 4u; i3 = i3 + 1u)
            {
                for (uint i4 = 0u; ; i4 = i4 + 1u)
                {
                    if (!(i4 < 3u))
                        break;
                    record(id, at, ((((lane & 3u) < (In[((i4 + id) + 48u) & 63u] & 3u)) || (asint(((v0 ^ v1) & 3u)) < asint((In[(id + 47u) & 63u] & 3u)))) ? v2 : asuint(max(asint((lane >> (2u & 31u))), asint(v2)))));
                    for (uint i5 = 0u; i5 < ((i3 + lane) % 7u) && ((i3 & 3u) != ((i3 + lane) & 3u)); i5 = i5 + 1u)
                    {
                        v3 = asuint(min(asint((In[(i4 + lane) & 63u] & ((lane >> (3u & 31u)) + In[In[(id + 1u) & 63u] & 63u]))), asint(((v1 & In[WaveActiveBallot(((In[(id + 31u) & 63u] & 1u) != (i3 & 1u))).x & 63u]) + asuint(asint(5u) >> (v1 & 31u))))));
                        [branch]
                        if (((v3 & 3u) < (In[((i4 + id) + 33u) & 63u] & 3u)))
                        {
                            record(id, at, ((i5 + lane) * v2));
                            break;
                        }
                        record(id, at, (((((v0 & 3u) <= 3u) || (((i4 + lane) & 7u) <= ((i3 + lane) & 7u))) ? v1 : 533u) + (i4 % (asuint(min(asint(v1), asint(In[(id + 18u) & 63u]))) | 1u))));
                        if ((asint((i4 & 3u)) <= asint(0u)))
                        {
                            record(id, at, asuint(min(asint((v3 + v3)), asint(WaveActiveMax(v1)))));
                        }
                    }
                    record(id, at, WaveActiveBallot(true).x);
                }
                [branch]
                if ((!WaveIsFirstLane() && ((v0 & 15u) == ((i3 + lane) & 15u))))
                {
                    return;
                }
            }
        }
    }
    else
    {
        [branch]
        if (((In[(id + 4u) & 63u] & 7u) == 6u))
        {
            v3 = (((asint((In[(id + 2u) & 63u] & 3u)) < asint(0u)) && (asint((In[(id + 57u) & 63u] & 1u)) <= asint(0u))) ? ((v0 | In[(id + 45u) & 63u]) ^ WaveActiveBitXor(v2)) : ((asint((v2 & 7u)) < asint((In[(id + 41u) & 63u] & 7u))) ? lane : (2147483647u - v3)));
            if (((v2 & 3u) != 1u))
            {
                [loop]
                for (uint i6 = 0u; i6 < ((lane >> (2u & 31u)) % 6u) && ((v1 & 7u) <= 5u); i6 = i6 + 1u)
                {
                    [branch]
                    if (((((0u - (v0)) & 7u) <= ((i6 + lane) & 7u)) && (((i6 & 7u) < 0u) || (asint((WavePrefixSum(In[((i6 + id) + 63u) & 63u]) & 1u)) < asint(1u)))))
                    {
                        [branch]
                        if (WaveActiveAllTrue(((v0 & 3u) != 0u)))
                        {
                            record(id, at, asuint(min(asint(v3), asint(In[(i6 + lane) & 63u]))));
                            break;
                        }
                        for (uint i7 = 0u; ; i7 = i7 + 1u)
                        {
                            if (!(i7 < 5u && ((i6 & 3u) <= 0u)))
                                break;
                            record(id, at, (In[((i6 + id) + 55u) & 63u] + (v0 >> (892u & 31u))));
                            record(id, at, asuint(max(asint(WaveActiveSum(4294967295u)), asint((!(asint((In[((i6 + id) + 7u) & 63u] & 3u)) < asint(1u)) ? v0 : 777u)))));
                        }
                        if (((i6 & 3u) != 0u))
                        {
                            record(id, at, In[((i6 + id) + 59u) & 63u]);
                        }
                    }
                    else
                    {
                        [branch]
                        switch ((i6 & 7u))
                        {
                            case 0u:
                            case 2u:
                            default:
                            {
                                break;
                            }
                            case 4u:
                            {
                                record(id, at, (i6 + lane));
                                record(id, at, In[i6 & 63u]);
                                record(id, at, WaveActiveBallot(true).x);
                            }
                            case 3u:
                            {
                                break;
                            }
                        }
                        record(id, at, WaveActiveBallot(true).x);
                    }
                    if ((asint(((i6 + lane) & 15u)) <= asint(3u)))
                    {
                        [branch]
                        if ((!((In[((i6 + id) + 52u) & 63u] & 15u) == 5u) || (asint((In[(id + 47u) & 63u] & 1u)) <= asint(1u))))
                        {
                            record(id, at, (v3 + 680u));
                            break;
                        }
                    }
                }
                if ((asint((In[(id + 0u) & 63u] & 7u)) < asint(3u)))
                {
                    if (WaveActiveAllTrue(((In[(id + 62u) & 63u] & 7u) < 4u)))
                    {
                        record(id, at, WaveActiveBallot((asint(((lane >> (2u & 31u)) & 3u)) <= asint((v2 & 3u)))).x);
                        record(id, at, max(In[lane & 63u], In[(id + 60u) & 63u]));
                    }
                }
                else
                {
                    record(id, at, ((asint((In[(id + 44u) & 63u] & 15u)) <= asint((lane & 15u))) ? (0u / (lane | 1u)) : In[(id + 32u) & 63u]));
                }
                record(id, at, WaveActiveBallot(WaveActiveAnyTrue(((lane & 7u) < 2u))).x);
            }
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
