// trellis: cs_6_6 main -Od -HV 2021
// Random program, seed 1.

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
    [loop]
    for (uint i0 = 0u; i0 < 3u; i0 = i0 + 1u)
    {
        v2 = In[v1 & 63u];
        [branch]
        if ((asint((In[((i0 + id) + 11u) & 63u] & 15u)) <= asint(6u)))
        {
            record(id, at, (!(asint((In[((i0 + id) + 32u) & 63u] & 15u)) <= asint((lane & 15u))) ? (i0 + lane) : v2));
            continue;
        }
        [branch]
        if ((asint(((lane >> (1u & 31u)) & 7u)) <= asint((In[(id + 57u) & 63u] & 7u))))
        {
            break;
        }
        v3 = 2147483647u;
        v3 = (WaveReadLaneFirst(WaveActiveBallot((asint(((i0 + lane) & 7u)) <= asint(0u))).x) - ((~(v3)) ^ WaveActiveMax(i0)));
    }
    v1 = (firstbithigh(WaveActiveBitXor((((asint((In[(id + 54u) & 63u] & 7u)) < asint(2u)) && ((In[(id + 1u) & 63u] & 1u) <= (lane & 1u))) ? In[(lane >> (2u & 31u)) & 63u] : v2))));
    [branch]
    if (((In[(id + 5u) & 63u] & 3u) == ((lane >> (1u & 31u)) & 3u)))
    {
        record(id, at, max(v1, In[(id + 11u) & 63u]));
        record(id, at, (v1 + v2));
    }
    return WaveMatch((In[(id + 6u) & 63u] >> (In[In[(id + 31u) & 63u] & 63u] & 31u))).x;
}

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    if (lane < 4u) Totals[lane] = 0u;
    GroupMemoryBarrierWithGroupSync();
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if ((asint((lane & 3u)) < asint(1u)))
    {
        uint i1 = 0u;
        do
        {
            i1 = i1 + 1u;
            if (((asint((i1 & 1u)) <= asint(1u)) || WaveIsFirstLane()))
            {
                InterlockedXor(Totals[0], (~(v1)));
            }
            else
            {
                [branch]
                if ((asint((In[(id + 0u) & 63u] & 15u)) < asint(14u)))
                {
                    [loop]
                    for (uint i2 = 0u; i2 < 4u; i2 = i2 + 1u)
                    {
                        [branch]
                        if (!((In[(id + 35u) & 63u] & 3u) < (i1 & 3u)))
                        {
                            v3 = f0(id, lane, at, ((lane >> (2u & 31u)) ^ (i2 + lane)), (((In[(id + 15u) & 63u] & 3u) <= 1u) ? ((WaveActiveAllTrue(WaveActiveAllTrue(((lane & 3u) <= 2u))) && ((v1 & 7u) != 1u)) ? 2147483648u : 416u) : (v1 * v1)));
                        }
                        if ((((firstbitlow(v0)) & 15u) < (In[((i2 + id) + 30u) & 63u] & 15u)))
                        {
                            record(id, at, ((((i2 & 7u) != 6u) && (((i1 + lane) & 7u) <= 3u)) ? v1 : (16u ^ v3)));
                            record(id, at, (!(((i1 + lane) & 7u) < (lane & 7u)) ? WaveActiveBallot(((asint((In[(id + 6u) & 63u] & 7u)) < asint(((i2 + lane) & 7u))) && ((In[((i1 + id) + 5u) & 63u] & 1u) != 1u))).x : WaveActiveBallot(((i1 & 3u) != (lane & 3u))).x));
                            [branch]
                            if ((((lane >> (2u & 31u)) & 1u) != 0u))
                            {
                                continue;
                            }
                            record(id, at, ((((In[(id + 58u) & 63u] & 3u) < 0u) && (((lane >> (3u & 31u)) & 15u) <= 12u)) ? WavePrefixCountBits((asint((In[(id + 11u) & 63u] & 7u)) <= asint(((lane >> (3u & 31u)) & 7u)))) : ((((i2 + lane) & 7u) <= 6u) ? In[In[((i2 + id) + 34u) & 63u] & 63u] : v3)));
                        }
                        else
                        {
                            record(id, at, WaveActiveMax(In[((i1 + id) + 20u) & 63u]));
                        }
                        v3 = (min((915u / (v2 | 1u)), min(439u, (i1 + lane))) >> (In[(id + 9u) & 63u] & 31u));
                        [branch]
                        if ((asint((v1 & 1u)) < asint(0u)))
                        {
                            v3 = (asuint(max(asint(asuint(max(asint(31u), asint(In[(id + 45u) & 63u])))), asint((v0 % (v3 | 1u))))) * 579u);
                        }
                        else
                        {
                            v0 = f0(id, lane, at, ((i2 + lane) | v1), asuint(max(asint(i2), asint((reversebits(v2))))));
                        }
                        [flatten]
                        if ((asint((v0 & 3u)) <= asint(3u)))
                        {
                            v3 = WavePrefixProduct((WaveActiveMin(v3) << ((v3 >> (In[(i1 + lane) & 63u] & 31u)) & 31u)));
                            v1 = WaveActiveProduct(v2);
                        }
                    }
                }
                else
                {
                    if (WaveActiveAnyTrue((((i1 + lane) & 1u) == (In[((i1 + id) + 0u) & 63u] & 1u))))
                    {
                        break;
                    }
                    if ((((In[((i1 + id) + 6u) & 63u] & 7u) != 5u) && !(asint(((v0 % (v1 | 1u)) & 3u)) < asint((WaveActiveCountBits(!((In[(id + 47u) & 63u] & 7u) < 7u)) & 3u)))))
                    {
                        return;
                    }
                    record(id, at, ((((lane >> (1u & 31u)) & 15u) != 9u) ? (In[In[(id + 36u) & 63u] & 63u] + 1u) : ((((i1 + lane) & 7u) < (In[((i1 + id) + 59u) & 63u] & 7u)) ? v0 : 75u)));
                }
                [loop]
                for (uint i3 = 0u; i3 < (In[((i1 + id) + 5u) & 63u] % 6u) && WaveActiveAnyTrue(((WaveActiveBitAnd((i3 + lane)) & 7u) == 2u)); i3 = i3 + 1u)
                {
                    v2 = f0(id, lane, at, WaveActiveMax(v2), ((((v2 & 15u) == 13u) && (asint((lane & 3u)) < asint(1u))) ? ((lane >> (2u & 31u)) % (i3 | 1u)) : v2));
                }
                if (WaveIsFirstLane())
                {
                    record(id, at, In[(id + 49u) & 63u]);
                    [loop]
                    for (uint i4 = 0u; ; i4 = i4 + 1u)
                    {
                        if (!(i4 < 3u))
                            break;
                        record(id, at, WaveActiveBallot(true).x);
                        [loop]
                        for (uint i5 = 0u; ; i5 = i5 + 1u)
                        {
                            if (!(i5 < 6u && ((lane & 3u) <= 2u)))
                                break;
                            record(id, at, ((2147483648u + In[(id + 34u) & 63u]) >> ((1u % (448u | 1u)) & 31u)));
                        }
                        record(id, at, WaveActiveBallot(true).x);
                    }
                    [branch]
                    if ((((((lane >> (1u & 31u)) & 1u) < (v2 & 1u)) && WaveActiveAllEqual((In[(id + 60u) & 63u] & 1u))) || (asint((In[(id + 41u) & 63u] & 1u)) <= asint(((lane >> (2u & 31u)) & 1u)))))
                    {
                        uint i6 = 0u;
                        [loop]
                        while (i6 < 5u)
                        {
                            i6 = i6 + 1u;
                            record(id, at, 31u);
                            record(id, at, WaveActiveBallot(true).x);
                            record(id, at, ((asint((v0 & 1u)) < asint((In[(id + 60u) & 63u] & 1u))) ? ((i6 + lane) % (v2 | 1u)) : v1));
                        }
                    }
                }
                else
                {
                    return;
                }
            }
        }
        while (i1 < (v0 % 6u) && (((lane >> (2u & 31u)) & 3u) != (In[((i1 + id) + 17u) & 63u] & 3u)));
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
