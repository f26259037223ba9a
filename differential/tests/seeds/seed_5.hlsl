// trellis: cs_6_6 main -O3
// Random program, seed 5.

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
    if ((((In[13u & 63u] & 7u) != (In[51u & 63u] & 7u)) || !((In[29u & 63u] & 15u) == (In[51u & 63u] & 15u))))
    {
        [branch]
        if (((((In[36u & 63u] & 15u) <= 15u) && (asint((In[12u & 63u] & 15u)) <= asint(9u))) && ((In[53u & 63u] & 15u) <= (In[((lane / 4u) + 18u) & 63u] & 15u))))
        {
            if (WaveActiveAllTrue(((In[(id + 19u) & 63u] & 15u) < 12u)))
            {
                record(id, at, (lane >> (3u & 31u)));
            }
            else
            {
                record(id, at, asuint(max(asint(WaveActiveSum(In[(id + 36u) & 63u])), asint((v3 - 0u)))));
                if ((asint((In[(id + 61u) & 63u] & 1u)) <= asint(1u)))
                {
                    record(id, at, WaveActiveMax(array[In[(id + 3u) & 63u] & 3u]));
                }
            }
        }
    }
    return v0;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, WaveActiveBallot((((v3 + 274u) & 15u) == 5u)).x);
    array[(In[In[(id + 19u) & 63u] & 63u] | v3) & 3u] = WaveActiveBitXor(146u);
    v2 = (v3 + (343u >> ((108u + v1) & 31u)));
    v0 = WaveActiveMax(v2);
    record(id, at, v2);
    v0 = WaveActiveBallot((((v2 & 3u) == 3u) && ((In[(id + 58u) & 63u] & 7u) < 3u))).x;
    if ((asint((In[45u & 63u] & 3u)) < asint(2u)))
    {
        [branch]
        if (((In[47u & 63u] & 3u) <= 0u))
        {
            [branch]
            if (((In[54u & 63u] & 1u) <= 0u))
            {
                [loop]
                for (uint i0 = 0u; ; i0 = i0 + 1u)
                {
                    if (!(i0 < (In[(id + 58u) & 63u] % 5u)))
                        break;
                    if (((WaveActiveAllEqual(((i0 + lane) & 1u)) || (asint(((i0 + lane) & 3u)) < asint(3u))) && ((((i0 + lane) & 3u) == 1u) && WaveActiveAllEqual((In[(id + 44u) & 63u] & 1u)))))
                    {
                        switch ((v0 & 3u))
                        {
                            case 2u:
                            case 1u:
                            {
                                record(id, at, WaveActiveBallot(true).x);
                                continue;
                            }
                            case 3u:
                            {
                                record(id, at, ((i0 + lane) & (31u << (v0 & 31u))));
                                break;
                            }
                            case 0u:
                            {
                                record(id, at, WaveActiveBitXor(WaveActiveBallot(((v3 & 3u) != 0u)).x));
                                break;
                                break;
                            }
                        }
                        record(id, at, WaveActiveBallot((((i0 & 3u) < (v1 & 3u)) || ((lane & 7u) < (((asint(((i0 + lane) & 15u)) < asint(4u)) ? In[In[((i0 + id) + 26u) & 63u] & 63u] : In[lane & 63u]) & 7u)))).x);
                    }
                    else
                    {
                        record(id, at, WaveActiveBitXor(In[((i0 + id) + 53u) & 63u]));
                    }
                }
            }
        }
        else
        {
            record(id, at, (1u / (In[(lane >> (2u & 31u)) & 63u] | 1u)));
        }
    }
    else
    {
        record(id, at, (v1 + In[(id + 0u) & 63u]));
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
