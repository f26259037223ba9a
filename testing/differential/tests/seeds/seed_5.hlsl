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
        if (((((In[36u & 63u] & 15u) <= 15u) && (asint((In[12u & 63u] & 15u)) <= asint(9u))) && ((In[53u & 63u] & 15u) <= (In[((lane / 4u) + 18u) & 63u] & 15u))))
        {
            if (WaveActiveAllTrue(((In[(id + 19u) & 63u] & 15u) < 12u)))
            {
                record(id, at, (lane >> (3u & 31u)));
            }
            else
            {
                record(id, at, asuint(max(asint(In[(id + 42u) & 63u]), asint(In[(id + 36u) & 63u]))));
            }
        }
        else
        {
            record(id, at, 31u);
        }
    }
    return QuadReadAcrossDiagonal(WaveActiveMax(array[In[(id + 3u) & 63u] & 3u]));
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    record(id, at, array[lane & 3u]);
    v2 = f0(id, lane, at, (112u ^ v0), asuint(min(asint(min(array[In[(id + 1u) & 63u] & 3u], v0)), asint(WaveActiveMax(31u)))));
    record(id, at, max((In[v2 & 63u] ^ 249u), In[In[(id + 41u) & 63u] & 63u]));
    uint i0 = 0u;
    [loop]
    while (i0 < (In[28u & 63u] % 2u) && (((i0 & 3u) <= 0u) && ((In[(i0 + 14u) & 63u] & 7u) < 1u)))
    {
        i0 = i0 + 1u;
        record(id, at, v2);
        v0 = WaveActiveBallot(((((i0 + lane) & 3u) != 2u) && ((In[(id + 39u) & 63u] & 1u) < 0u))).x;
        uint i1 = 0u;
        [loop]
        do
        {
            i1 = i1 + 1u;
            if ((((asint((In[(i1 + 14u) & 63u] & 1u)) <= asint(1u)) || ((In[((lane / 4u) + 60u) & 63u] & 15u) == (i0 & 15u))) || (((In[((lane / 4u) + 40u) & 63u] & 1u) <= 0u) || ((In[(i1 + 10u) & 63u] & 7u) != (In[((lane / 4u) + 0u) & 63u] & 7u)))))
            {
                record(id, at, (v0 ^ v2));
                continue;
            }
        }
        while (i1 < (In[(i0 + 46u) & 63u] % 3u) && ((In[((lane / 4u) + 19u) & 63u] & 15u) <= 11u));
    }
    [call]
    switch ((In[((lane / 4u) + 23u) & 63u] & 3u))
    {
        case 0u:
        {
            [loop]
            for (uint i2 = 0u; i2 < (In[5u & 63u] % 8u); i2 = i2 + 1u)
            {
                [unroll]
                for (uint i3 = 0u; i3 < 4u; i3 = i3 + 1u)
                {
                    [branch]
                    if ((((In[(i3 + 1u) & 63u] & 1u) < 0u) && (asint((i2 & 15u)) < asint(5u))))
                    {
                        array[asuint(asint(v1) >> (array[(i3 + lane) & 3u] & 31u)) & 3u] = (((((i3 + lane) & 3u) < (i2 & 3u)) ? array[v1 & 3u] : v3) + WavePrefixSum(v3));
                        record(id, at, In[lane & 63u]);
                    }
                    else
                    {
                        continue;
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
