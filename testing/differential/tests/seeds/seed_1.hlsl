// trellis: cs_6_6 main -Od -HV 2021
// Random program, seed 1.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

[noinline]
uint f0(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [loop]
    for (uint i0 = 0u; i0 < 3u; i0 = i0 + 1u)
    {
        v2 = In[v1 & 63u];
        if ((asint((In[((i0 + id) + 11u) & 63u] & 15u)) <= asint(6u)))
        {
            record(id, at, (!(asint((In[((i0 + id) + 32u) & 63u] & 15u)) <= asint((lane & 15u))) ? (i0 + lane) : v2));
            break;
        }
        record(id, at, (min(v3, i0) ^ WavePrefixCountBits((((i0 & 7u) != 1u) && (((i0 + lane) & 15u) != 11u)))));
        switch ((In[(id + 7u) & 63u] & 3u))
        {
            case 2u:
            default:
            {
                break;
            }
        }
        v2 = asuint(min(asint(412u), asint(WaveActiveBallot(((asint(((lane >> (3u & 31u)) & 15u)) < asint(0u)) || (asint((In[((i0 + id) + 11u) & 63u] & 15u)) <= asint(((i0 + lane) & 15u))))).x)));
    }
    v2 = WaveActiveBallot((((lane >> (2u & 31u)) & 3u) != (In[(id + 33u) & 63u] & 3u))).x;
    v0 = (((WaveIsFirstLane() ? 337u : v1) + (v2 | 133u)) + WaveMatch((In[(id + 6u) & 63u] >> (In[In[(id + 31u) & 63u] & 63u] & 31u))).x);
    return (WaveActiveBitAnd(552u) + min(v2, (lane >> (3u & 31u))));
}

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if (((In[55u & 63u] & 3u) != 0u))
    {
        record(id, at, 510u);
        if (((In[31u & 63u] & 3u) == (In[((lane / 4u) + 23u) & 63u] & 3u)))
        {
            if (((In[7u & 63u] & 3u) < 2u))
            {
                [branch]
                if ((asint((In[(id + 0u) & 63u] & 3u)) < asint(3u)))
                {
                    [loop]
                    for (uint i1 = 0u; i1 < 4u; i1 = i1 + 1u)
                    {
                        if (!((In[(id + 35u) & 63u] & 3u) < (i1 & 3u)))
                        {
                            v2 = f0(id, lane, at, ((lane >> (2u & 31u)) ^ (i1 + lane)), (((In[(id + 15u) & 63u] & 3u) <= 1u) ? ((WaveActiveAllTrue(WaveActiveAllTrue(((lane & 3u) <= 2u))) && ((v1 & 7u) != 1u)) ? 2147483648u : 416u) : (v2 * v1)));
                        }
                        else
                        {
                            v3 = WaveActiveBallot(((v3 & 15u) < 4u)).x;
                            v0 = ((((i1 & 7u) != 6u) && (((i1 + lane) & 7u) <= 3u)) ? v1 : (5u ^ ((lane >> (1u & 31u)) >> (lane & 31u))));
                        }
                        for (uint i2 = 0u; ; i2 = i2 + 1u)
                        {
                            if (!(i2 < 6u))
                                break;
                            record(id, at, (i2 + lane));
                            record(id, at, ((v0 * v3) + (((In[(id + 31u) & 63u] & 3u) <= 3u) ? 432u : v0)));
                        }
                        continue;
                    }
                }
            }
        }
        else
        {
            record(id, at, 2u);
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
