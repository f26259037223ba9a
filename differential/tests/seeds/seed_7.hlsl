// trellis: cs_6_0 main -Od
// Random program, seed 7.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if ((asint((lane & 1u)) < asint((v3 & 1u))))
    {
        record(id, at, In[In[(id + 46u) & 63u] & 63u]);
        [branch]
        if (((lane & 15u) < (asuint(min(asint(In[(id + 58u) & 63u]), asint(31u))) & 15u)))
        {
            record(id, at, v0);
            record(id, at, (v1 ^ min(v3, v2)));
            record(id, at, In[In[(id + 11u) & 63u] & 63u]);
        }
    }
    record(id, at, (((In[(id + 34u) & 63u] & 3u) <= 0u) ? (v1 / (1u | 1u)) : WaveActiveProduct(v0)));
    record(id, at, WaveActiveBallot((((lane & 1u) != 0u) && WaveIsFirstLane())).x);
    record(id, at, WavePrefixSum(WaveActiveCountBits(WaveIsFirstLane())));
    record(id, at, ((771u ^ v2) + (430u >> (v2 & 31u))));
    [loop]
    for (uint i0 = 0u; i0 < (In[40u & 63u] % 5u); i0 = i0 + 1u)
    {
        if (!((In[(id + 20u) & 63u] & 3u) != 0u))
        {
            record(id, at, In[WaveActiveBitXor(In[(id + 47u) & 63u]) & 63u]);
            continue;
        }
        [loop]
        for (uint i1 = 0u; ; i1 = i1 + 1u)
        {
            if (!(i1 < (In[(id + 42u) & 63u] % 7u)))
                break;
            [branch]
            if (((asint(((i1 + lane) & 3u)) <= asint(3u)) && WaveActiveAnyTrue(WaveActiveAnyTrue(((v1 & 3u) < ((i1 + lane) & 3u))))))
            {
                break;
            }
            for (uint i2 = 0u; i2 < 3u; i2 = i2 + 1u)
            {
                record(id, at, WaveActiveBallot(true).x);
                [call]
                switch ((In[((i0 + id) + 37u) & 63u] & 7u))
                {
                    case 7u:
                    case 3u:
                    {
                        record(id, at, (max(780u, In[v3 & 63u]) * (v2 & v3)));
                        [branch]
                        if (((i2 & 3u) < ((2147483648u ^ v0) & 3u)))
                        {
                            record(id, at, asuint(asint((In[v2 & 63u] << (1u & 31u))) >> ((lane >> (2u & 31u)) & 31u)));
                            v0 = ((lane >> (2u & 31u)) - ((asint((In[((i1 + id) + 13u) & 63u] & 7u)) < asint(3u)) ? (v3 + 0u) : (countbits(v3))));
                            [branch]
                            if (WaveActiveAllTrue(((v0 & 3u) <= (lane & 3u))))
                            {
                                record(id, at, v0);
                            }
                            if (WaveActiveAllTrue((asint((WaveActiveBitXor(In[lane & 63u]) & 3u)) < asint((In[((i1 + id) + 52u) & 63u] & 3u)))))
                            {
                                record(id, at, v3);
                            }
                            else
                            {
                                record(id, at, min((lane >> (3u & 31u)), v2));
                            }
                        }
                    }
                    case 2u:
                    case 6u:
                    {
                        break;
                    }
                    case 5u:
                    {
                        record(id, at, (2147483647u * lane));
                        break;
                    }
                    case 0u:
                    {
                        record(id, at, WaveActiveSum(In[In[(id + 18u) & 63u] & 63u]));
                        break;
                    }
                }
            }
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
