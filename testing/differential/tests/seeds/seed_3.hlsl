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
    record(id, at, (((asint((In[(id + 30u) & 63u] & 7u)) < asint(1u)) && (asint((In[(id + 57u) & 63u] & 1u)) < asint((In[(id + 43u) & 63u] & 1u)))) ? WaveActiveBitAnd(2u) : (!(asint((In[(id + 17u) & 63u] & 7u)) <= asint((In[(id + 45u) & 63u] & 7u))) ? In[(id + 10u) & 63u] : 2u)));
    record(id, at, v0);
    return WaveActiveSum(45u);
}

uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    if ((asint((In[(id + 38u) & 63u] & 7u)) < asint(2u)))
    {
        [loop]
        for (uint i0 = 0u; ; i0 = i0 + 1u)
        {
            if (!(i0 < 6u && ((((i0 + lane) & 15u) < 0u) && ((In[((i0 + id) + 5u) & 63u] & 1u) != 0u))))
                break;
            record(id, at, 2u);
            [branch]
            if ((asint(((i0 + lane) & 15u)) < asint(((lane >> (2u & 31u)) & 15u))))
            {
                record(id, at, v3);
            }
            else
            {
                record(id, at, 529u);
            }
        }
    }
    return min((((In[(id + 14u) & 63u] & 7u) < (In[(id + 45u) & 63u] & 7u)) ? v1 : In[(id + 38u) & 63u]), ((((In[(id + 33u) & 63u] & 15u) < 3u) && ((In[(id + 26u) & 63u] & 1u) < (In[(id + 29u) & 63u] & 1u))) ? (lane >> (3u & 31u)) : In[(id + 32u) & 63u]));
}

uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, WaveActiveBallot(true).x);
    v2 = (In[(id + 7u) & 63u] >> ((WaveActiveBallot((asint((In[(id + 29u) & 63u] & 7u)) < asint(2u))).x + In[(id + 55u) & 63u]) & 31u));
    record(id, at, 450u);
    return 4294967295u;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, In[(id + 38u) & 63u]);
    record(id, at, (((In[(id + 32u) & 63u] & 1u) <= 0u) ? v2 : WaveActiveBallot(WaveIsFirstLane()).x));
    v0 = f0(id, lane, at, (lane - In[In[(id + 33u) & 63u] & 63u]), (((asint((In[(id + 35u) & 63u] & 1u)) < asint(0u)) && (asint((lane & 3u)) < asint((lane & 3u)))) ? v3 : (firstbitlow(v3))));
    [call]
    switch ((In[10u & 63u] & 3u))
    {
        case 2u:
        {
            uint i1 = 0u;
            [loop]
            do
            {
                i1 = i1 + 1u;
                if (((asint(((i1 + lane) & 15u)) < asint(6u)) && !((v0 & 3u) == 1u)))
                {
                    return;
                }
                v3 = (asuint(min(asint(WavePrefixCountBits((asint((lane & 15u)) < asint((v3 & 15u))))), asint(((((In[((i1 + id) + 19u) & 63u] & 7u) == 5u) && ((In[(id + 10u) & 63u] & 7u) < (In[(id + 7u) & 63u] & 7u))) ? v1 : v1)))) >> (lane & 31u));
                [loop]
                for (uint i2 = 0u; i2 < (i1 % 3u); i2 = i2 + 1u)
                {
                    record(id, at, asuint(asint(WavePrefixSum(In[((i1 + id) + 56u) & 63u])) >> ((v0 ^ v3) & 31u)));
                    [branch]
                    if (((WaveActiveBitXor(86u) & 15u) != 14u))
                    {
                        break;
                    }
                    v1 = (reversebits(WaveActiveCountBits((((i2 + lane) & 3u) == (In[((i1 + id) + 34u) & 63u] & 3u)))));
                    [branch]
                    if (((lane & 3u) == (In[(id + 57u) & 63u] & 3u)))
                    {
                        uint i3 = 0u;
                        [loop]
                        while (i3 < ((i1 + lane) % 3u))
                        {
                            i3 = i3 + 1u;
                            record(id, at, WaveActiveBallot(true).x);
                        }
                    }
                    else
                    {
                        if (((lane & 1u) == 0u))
                        {
                            continue;
                        }
                    }
                }
            }
            while (i1 < 3u);
            record(id, at, asuint(min(asint(WaveActiveCountBits((asint((lane & 15u)) < asint(3u)))), asint(((((lane & 7u) == 0u) && (asint(((lane >> (3u & 31u)) & 15u)) < asint(1u))) ? 2147483647u : In[(id + 51u) & 63u])))));
            break;
        }
        case 3u:
        case 1u:
        {
            record(id, at, (v0 >> (In[(id + 59u) & 63u] & 31u)));
            break;
        }
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
    record(id, at, WaveActiveBallot(true).x);
}
