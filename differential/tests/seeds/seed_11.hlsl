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
    [branch]
    if (((((In[(id + 0u) & 63u] & 15u) == 0u) && (asint((In[(id + 19u) & 63u] & 15u)) <= asint((asuint(max(asint(In[(id + 37u) & 63u]), asint(1u))) & 15u)))) && (((lane & 7u) <= 7u) && ((In[(id + 40u) & 63u] & 7u) == 7u))))
    {
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
            v2 = WavePrefixSum(((v3 ^ v3) + In[(id + 2u) & 63u]));
            record(id, at, (In[In[(id + 7u) & 63u] & 63u] + (((In[(id + 24u) & 63u] & 15u) < ((lane >> (3u & 31u)) & 15u)) ? v1 : (lane >> (2u & 31u)))));
        }
        v2 = ((In[(id + 27u) & 63u] | 2147483648u) ^ asuint(max(asint(WaveActiveSum(v0)), asint(WaveActiveSum(v3)))));
    }
    else
    {
        [branch]
        if (((In[(id + 61u) & 63u] & 15u) == 8u))
        {
            record(id, at, (In[(id + 29u) & 63u] + v2));
        }
    }
    return max(v3, v3);
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    uint i0 = 0u;
    [loop]
    do
    {
        i0 = i0 + 1u;
        if (((((In[((i0 + id) + 44u) & 63u] & 3u) < ((i0 + lane) & 3u)) || WaveActiveAllEqual((In[((i0 + id) + 4u) & 63u] & 1u))) && (asint((lane & 1u)) < asint(0u))))
        {
            if ((((((i0 + lane) & 3u) < (lane & 3u)) && (asint((In[((i0 + id) + 59u) & 63u] & 1u)) < asint(1u))) || ((lane & 7u) <= 1u)))
            {
                record(id, at, In[(lane >> (3u & 31u)) & 63u]);
                continue;
            }
            record(id, at, WaveActiveBallot(true).x);
            v2 = asuint(asint(WaveActiveBitAnd((v1 / (In[i0 & 63u] | 1u)))) >> ((WaveActiveBitAnd(v3) + 111u) & 31u));
            break;
        }
        else
        {
            record(id, at, WaveActiveSum(In[In[((i0 + id) + 63u) & 63u] & 63u]));
        }
    }
    while (i0 < (v1 % 8u));
    return (((In[(id + 54u) & 63u] & 3u) == 0u) ? ((lane >> (2u & 31u)) << (2147483648u & 31u)) : (v2 % (In[(id + 5u) & 63u] | 1u)));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, WaveActiveBallot(true).x);
    return max((432u * In[In[(id + 58u) & 63u] & 63u]), (In[(id + 27u) & 63u] - 1u));
}

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, (4294967295u >> (v0 & 31u)));
    [loop]
    for (uint i1 = 0u; i1 < 5u; i1 = i1 + 1u)
    {
        switch ((v2 & 3u))
        {
            case 0u:
            {
                uint i2 = 0u;
                [loop]
                do
                {
                    i2 = i2 + 1u;
                    [call]
                    switch ((i1 & 7u))
                    {
                        case 7u:
                        default:
                        {
                            record(id, at, 223u);
                            break;
                        }
                    }
                    record(id, at, (v3 ^ (v0 + v3)));
                    [unroll]
                    for (uint i3 = 0u; i3 < 1u; i3 = i3 + 1u)
                    {
                        [loop]
                        for (uint i4 = 0u; i4 < (lane % 6u); i4 = i4 + 1u)
                        {
                            record(id, at, asuint(asint((v3 * 5u)) >> (min((i4 + lane), In[lane & 63u]) & 31u)));
                        }
                        if (((In[(id + 37u) & 63u] & 3u) != 2u))
                        {
                            v2 = WaveActiveCountBits((((lane & 15u) == 1u) && (asint((In[((i2 + id) + 61u) & 63u] & 1u)) < asint(1u))));
                        }
                        else
                        {
                            record(id, at, (WaveActiveBallot((((i1 + lane) & 3u) <= (In[((i2 + id) + 11u) & 63u] & 3u))).x + (v1 + lane)));
                            break;
                        }
                        v2 = f0(id, lane, at, In[i3 & 63u], ((((In[((i1 + id) + 50u) & 63u] & 3u) != 1u) ? v1 : v1) ^ (461u & 4294967295u)));
                        record(id, at, ((v3 * WavePrefixSum(799u)) + min(v2, v3)));
                    }
                }
                while (i2 < (v1 % 8u) && (((In[((i1 + id) + 45u) & 63u] & 15u) <= (In[((i1 + id) + 57u) & 63u] & 15u)) && (asint((i1 & 3u)) < asint(3u))));
                break;
            }
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
