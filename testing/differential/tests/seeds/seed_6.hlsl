// trellis: cs_6_6 main -O1
// Random program, seed 6.

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
    switch (((lane >> (2u & 31u)) & 3u))
    {
        case 0u:
        case 3u:
        default:
        {
            record(id, at, ((v0 + (v0 & 255u)) >> ((((In[(id + 9u) & 63u] & 7u) == 1u) ? 265u : lane) & 31u)));
            v2 = (In[(id + 49u) & 63u] - In[(id + 27u) & 63u]);
        }
        case 1u:
        {
            for (uint i0 = 0u; i0 < 6u; i0 = i0 + 1u)
            {
                [branch]
                if (((i0 & 7u) <= 6u))
                {
                    break;
                }
            }
            if (((In[(id + 18u) & 63u] & 3u) <= 2u))
            {
                return ((((In[(id + 11u) & 63u] & 3u) <= 0u) || ((In[(id + 48u) & 63u] & 15u) != 10u)) ? 566u : v0);
            }
            record(id, at, (In[(id + 22u) & 63u] * v0));
            break;
        }
    }
    return (((In[(id + 4u) & 63u] & 1u) < 1u) ? (0u & v0) : In[(id + 5u) & 63u]);
}

[noinline]
uint f1(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if ((((v0 & 1u) < 0u) || !((In[(id + 27u) & 63u] & 1u) != 1u)))
    {
        v2 = ((asuint(max(asint(In[v1 & 63u]), asint(v0))) ^ asuint(min(asint(In[In[(id + 56u) & 63u] & 63u]), asint(In[(id + 40u) & 63u])))) + (lane / ((In[In[(id + 33u) & 63u] & 63u] / (In[(id + 53u) & 63u] | 1u)) | 1u)));
        if (!(asint(((lane >> (3u & 31u)) & 3u)) < asint(0u)))
        {
            [branch]
            if (((lane & 15u) != 0u))
            {
                if (((In[(id + 37u) & 63u] & 3u) != 2u))
                {
                    [branch]
                    if (!((In[(id + 19u) & 63u] & 7u) == 4u))
                    {
                        record(id, at, asuint(max(asint(2u), asint(v0))));
                        record(id, at, asuint(max(asint(810u), asint(v2))));
                    }
                    record(id, at, ((0u % (136u | 1u)) ^ 800u));
                    [branch]
                    if (((lane & 1u) <= (In[(id + 23u) & 63u] & 1u)))
                    {
                        record(id, at, v1);
                    }
                }
                record(id, at, (0u - (2147483647u)));
                v3 = f0(id, lane, at, 1u, (!((lane & 3u) <= 0u) ? In[(id + 54u) & 63u] : In[(id + 3u) & 63u]));
            }
            else
            {
                [branch]
                if (((((In[(id + 46u) & 63u] & 7u) <= 7u) && ((In[(id + 15u) & 63u] & 3u) != (In[(id + 58u) & 63u] & 3u))) && ((In[(id + 47u) & 63u] & 3u) != 2u)))
                {
                    record(id, at, v2);
                }
                record(id, at, (firstbithigh(79u)));
            }
        }
        else
        {
            record(id, at, 31u);
        }
    }
    else
    {
        record(id, at, In[(id + 57u) & 63u]);
    }
    return (max(In[(id + 52u) & 63u], lane) | (v0 & In[(id + 15u) & 63u]));
}

[noinline]
uint f2(uint id, uint lane, inout uint at, uint v0, uint v1)
{
    uint v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [branch]
    if (((asint((In[(id + 4u) & 63u] & 1u)) < asint(1u)) && ((asint((In[(id + 51u) & 63u] & 3u)) <= asint(3u)) || ((In[(id + 8u) & 63u] & 15u) <= (lane & 15u)))))
    {
        v0 = f0(id, lane, at, In[(id + 14u) & 63u], (lane >> (2u & 31u)));
        if (((lane & 1u) < 0u))
        {
            switch ((In[(id + 35u) & 63u] & 3u))
            {
                case 3u:
                {
                    [branch]
                    if (((asint((v2 & 1u)) < asint(0u)) && ((In[(id + 34u) & 63u] & 7u) != 6u)))
                    {
                        record(id, at, In[(id + 46u) & 63u]);
                    }
                    [branch]
                    if (((In[(id + 10u) & 63u] & 15u) != (v0 & 15u)))
                    {
                        record(id, at, v1);
                    }
                    else
                    {
                        record(id, at, asuint(min(asint(lane), asint(1u))));
                    }
                    break;
                }
            }
        }
    }
    else
    {
        record(id, at, (countbits(v2)));
    }
    return (min(v2, (v1 & 255u)) - In[In[(id + 26u) & 63u] & 63u]);
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [loop]
    for (uint i1 = 0u; ; i1 = i1 + 1u)
    {
        if (!(i1 < (v1 % 5u)))
            break;
        v2 = f0(id, lane, at, asuint(min(asint(v1), asint(v2))), (i1 + lane));
    }
    record(id, at, v0);
    record(id, at, v1);
    record(id, at, v2);
    record(id, at, v3);
}
