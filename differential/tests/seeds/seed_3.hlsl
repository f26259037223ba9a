// trellis: cs_6_5 main -O1
// Random program, seed 3.

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
    v3 = (In[(id + 38u) & 63u] - WavePrefixCountBits(((asuint(max(asint(v0), asint(v2))) & 15u) <= 9u)));
    record(id, at, WaveActiveCountBits(((In[(id + 46u) & 63u] & 1u) < 0u)));
    if (((WaveActiveSum(812u) & 3u) < 0u))
    {
        v3 = 614u;
        if ((!WaveIsFirstLane() && ((In[(id + 29u) & 63u] & 3u) <= 1u)))
        {
            record(id, at, (2147483647u ^ In[(id + 56u) & 63u]));
            return min(lane, In[(id + 59u) & 63u]);
        }
        [branch]
        if (((v3 & 15u) != (In[(id + 47u) & 63u] & 15u)))
        {
            record(id, at, (~(In[(id + 52u) & 63u])));
        }
        record(id, at, asuint(max(asint(v2), asint(2147483648u))));
    }
    [branch]
    if (!((v1 & 1u) != 1u))
    {
        record(id, at, In[(id + 8u) & 63u]);
        record(id, at, WaveActiveBitAnd((v2 + In[(id + 20u) & 63u])));
    }
    else
    {
        record(id, at, max(In[(id + 10u) & 63u], 2u));
    }
    return v0;
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if ((asint((In[28u & 63u] & 3u)) < asint(2u)))
    {
        uint i0 = 0u;
        do
        {
            i0 = i0 + 1u;
            [loop]
            for (uint i1 = 0u; ; i1 = i1 + 1u)
            {
                if (!(i1 < ((i0 + lane) % 3u)))
                    break;
                [loop]
                for (uint i2 = 0u; ; i2 = i2 + 1u)
                {
                    if (!(i2 < 1u))
                        break;
                    uint i3 = 0u;
                    while (i3 < (In[((i0 + id) + 0u) & 63u] % 4u))
                    {
                        i3 = i3 + 1u;
                        record(id, at, max((v3 << (v1 & 31u)), v3));
                        record(id, at, In[((i3 + id) + 3u) & 63u]);
                        [branch]
                        if (WaveActiveAllTrue(((v0 & 15u) <= (lane & 15u))))
                        {
                            record(id, at, i2);
                            continue;
                        }
                        record(id, at, asuint(max(asint((In[In[((i2 + id) + 3u) & 63u] & 63u] + 434u)), asint(5u))));
                        record(id, at, asuint(max(asint((lane >> (3u & 31u))), asint((2u >> (In[v3 & 63u] & 31u))))));
                    }
                    v0 = f0(id, lane, at, (v1 % (2u | 1u)), ((2u + In[(450u + v0) & 63u]) | (firstbitlow(In[(id + 26u) & 63u]))));
                }
                record(id, at, v1);
            }
        }
        while (i0 < 3u);
    }
    else
    {
        record(id, at, max(v1, In[(lane >> (1u & 31u)) & 63u]));
    }
    return WaveReadLaneFirst(WaveActiveCountBits(((In[(id + 39u) & 63u] & 3u) <= 0u)));
}

[noinline]
uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    switch ((In[34u & 63u] & 3u))
    {
        case 1u:
        case 3u:
        {
            [branch]
            if (((In[(id + 6u) & 63u] & 15u) == 1u))
            {
                record(id, at, asuint(asint(lane) >> (v1 & 31u)));
                return WaveActiveBallot(((asint((In[(id + 33u) & 63u] & 3u)) < asint(3u)) || (asint((In[(id + 0u) & 63u] & 1u)) <= asint(0u)))).x;
            }
            [branch]
            if ((asint((In[1u & 63u] & 1u)) <= asint(1u)))
            {
                [loop]
                for (uint i4 = 0u; i4 < (In[53u & 63u] % 2u) && (asint((In[(i4 + 12u) & 63u] & 7u)) <= asint(3u)); i4 = i4 + 1u)
                {
                    record(id, at, WaveActiveBallot((((v3 & 7u) == ((i4 + lane) & 7u)) && (asint(((lane >> (3u & 31u)) & 7u)) < asint(6u)))).x);
                    if (((In[7u & 63u] & 15u) != 9u))
                    {
                        [branch]
                        if (((In[((i4 + id) + 32u) & 63u] & 3u) < 0u))
                        {
                            continue;
                        }
                        [branch]
                        if ((asint((i4 & 7u)) <= asint((In[(i4 + 43u) & 63u] & 7u))))
                        {
                            record(id, at, (v2 - v2));
                            break;
                        }
                        record(id, at, WaveActiveBallot(true).x);
                    }
                }
                record(id, at, (v0 >> (0u & 31u)));
            }
        }
        case 2u:
        case 0u:
        default:
        {
            record(id, at, WaveActiveCountBits(((In[(id + 57u) & 63u] & 3u) != 3u)));
            break;
        }
    }
    return 4294967295u;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, WaveReadLaneFirst((v0 + v2)));
    [unroll]
    for (uint i5 = 0u; i5 < 1u; i5 = i5 + 1u)
    {
        record(id, at, WaveActiveBallot(true).x);
    }
    record(id, at, ((In[(id + 34u) & 63u] / (0u | 1u)) & WavePrefixSum((lane >> (3u & 31u)))));
    [branch]
    if (((max(v2, 246u) & 15u) != ((lane >> (1u & 31u)) & 15u)))
    {
        switch ((In[(id + 35u) & 63u] & 3u))
        {
            case 2u:
            default:
            {
                [branch]
                if ((((lane >> (3u & 31u)) & 1u) == 0u))
                {
                    if ((asint((In[(id + 36u) & 63u] & 3u)) < asint((In[(id + 11u) & 63u] & 3u))))
                    {
                        [branch]
                        if ((asint((In[(id + 61u) & 63u] & 15u)) < asint(14u)))
                        {
                            [branch]
                            if (((((WaveActiveBitOr(v3) & 7u) <= 7u) || (asint((lane & 1u)) < asint(1u))) && (((In[(id + 5u) & 63u] & 7u) != 0u) && ((In[(id + 13u) & 63u] & 3u) == 0u))))
                            {
                                record(id, at, (WaveActiveBallot(((In[(id + 18u) & 63u] & 1u) < 0u)).x >> (In[(id + 47u) & 63u] & 31u)));
                                v2 = f0(id, lane, at, asuint(min(asint(In[lane & 63u]), asint(lane))), (asuint(min(asint(lane), asint(2u))) + (reversebits(v2))));
                                record(id, at, ((((lane >> (1u & 31u)) & 3u) <= 2u) ? In[(id + 43u) & 63u] : WaveActiveBitXor(In[In[(id + 44u) & 63u] & 63u])));
                                record(id, at, asuint(min(asint((v3 ^ In[In[(id + 17u) & 63u] & 63u])), asint(In[(id + 50u) & 63u]))));
                            }
                            else
                            {
                                record(id, at, In[In[(id + 60u) & 63u] & 63u]);
                            }
                        }
                    }
                    else
                    {
                        record(id, at, In[(id + 5u) & 63u]);
                    }
                }
                else
                {
                    record(id, at, (v0 % (lane | 1u)));
                }
                break;
            }
        }
        record(id, at, In[(id + 0u) & 63u]);
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
