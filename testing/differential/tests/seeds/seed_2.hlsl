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
    record(id, at, asuint(min(asint((v0 * v1)), asint((In[v3 & 63u] ^ In[(id + 25u) & 63u])))));
    record(id, at, asuint(asint(v0) >> ((reversebits((lane - v1))) & 31u)));
    return In[(id + 63u) & 63u];
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    for (uint i0 = 0u; i0 < (In[23u & 63u] % 5u); i0 = i0 + 1u)
    {
        record(id, at, asuint(min(asint(WaveActiveMin(In[((i0 + id) + 10u) & 63u])), asint((826u | 0u)))));
        v2 = f0(id, lane, at, WaveActiveProduct(In[(id + 48u) & 63u]), WaveActiveBallot((asint(((In[In[((i0 + id) + 24u) & 63u] & 63u] / (v2 | 1u)) & 3u)) < asint(3u))).x);
        record(id, at, (lane >> (3u & 31u)));
        [branch]
        if (((In[(i0 + 43u) & 63u] & 7u) == 7u))
        {
            record(id, at, ((i0 + lane) << (v2 & 31u)));
            continue;
        }
    }
    record(id, at, WaveActiveBallot(true).x);
    uint i1 = 0u;
    [loop]
    do
    {
        i1 = i1 + 1u;
        if ((((In[(i1 + 59u) & 63u] & 1u) <= 0u) && ((i1 & 15u) <= 9u)))
        {
            v0 = f0(id, lane, at, (i1 + 235u), WavePrefixCountBits(((v0 & 15u) == 2u)));
            record(id, at, asuint(min(asint((In[(i1 + lane) & 63u] & In[(i1 + lane) & 63u])), asint(i1))));
        }
        else
        {
            record(id, at, asuint(asint(In[((i1 + id) + 44u) & 63u]) >> (i1 & 31u)));
        }
    }
    while (i1 < (In[43u & 63u] % 8u) && ((In[18u & 63u] & 7u) < 3u));
    return v3;
}

[noinline]
uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, WaveActiveBallot(true).x);
    [branch]
    if (((In[17u & 63u] & 15u) <= (In[45u & 63u] & 15u)))
    {
        record(id, at, WaveActiveCountBits(!((In[(id + 47u) & 63u] & 3u) != (In[(id + 56u) & 63u] & 3u))));
        return v0;
    }
    return WaveActiveMin(808u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, ((In[In[(id + 27u) & 63u] & 63u] & v0) + ((lane >> (1u & 31u)) + (v0 & 65535u))));
    record(id, at, WaveActiveBallot(true).x);
    record(id, at, ((v2 ^ v3) + WaveActiveCountBits(((In[(id + 0u) & 63u] & 7u) <= 3u))));
    record(id, at, v3);
    if ((WaveIsFirstLane() && (((In[(id + 6u) & 63u] & 1u) != 0u) && ((In[(id + 19u) & 63u] & 15u) <= 14u))))
    {
        switch ((lane & 3u))
        {
            case 0u:
            case 1u:
            default:
            {
                [branch]
                if (WaveActiveAllTrue((asint((In[(id + 2u) & 63u] & 3u)) < asint(((lane >> (1u & 31u)) & 3u)))))
                {
                    if (((In[(id + 17u) & 63u] & 15u) == 0u))
                    {
                        switch ((v1 & 3u))
                        {
                            case 0u:
                            {
                                record(id, at, (WaveActiveCountBits((asint((In[(id + 6u) & 63u] & 3u)) < asint(3u))) + WaveActiveBallot(!((In[(id + 0u) & 63u] & 3u) < (In[(id + 56u) & 63u] & 3u))).x));
                                record(id, at, v1);
                            }
                            case 3u:
                            {
                                record(id, at, WaveActiveBallot((((In[(id + 32u) & 63u] & 7u) <= 3u) && ((In[(id + 13u) & 63u] & 3u) < 2u))).x);
                            }
                            case 1u:
                            default:
                            {
                                record(id, at, asuint(min(asint((v1 & 65535u)), asint((lane >> (1u & 31u))))));
                                break;
                            }
                        }
                    }
                    else
                    {
                        record(id, at, In[(id + 48u) & 63u]);
                    }
                }
                else
                {
                    record(id, at, (v2 + 5u));
                }
                break;
            }
            case 3u:
            {
                record(id, at, WaveActiveSum(lane));
                break;
            }
            case 2u:
            {
                record(id, at, asuint(asint(v2) >> (4294967295u & 31u)));
                break;
            }
        }
    }
    else
    {
        record(id, at, (2u >> ((In[(id + 42u) & 63u] / (v0 | 1u)) & 31u)));
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
