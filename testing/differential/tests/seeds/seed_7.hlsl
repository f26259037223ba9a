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
    record(id, at, (WavePrefixCountBits(((In[(id + 44u) & 63u] & 15u) < (((lane >> (2u & 31u)) + asuint(min(asint(In[(id + 58u) & 63u]), asint(31u)))) & 15u))) ^ ((WaveActiveAnyTrue(((lane & 3u) != 1u)) && ((lane & 3u) == ((lane >> (3u & 31u)) & 3u))) ? In[In[(id + 11u) & 63u] & 63u] : v2)));
    [loop]
    for (uint i0 = 0u; i0 < (In[43u & 63u] % 6u); i0 = i0 + 1u)
    {
        uint i1 = 0u;
        [loop]
        while (i1 < (In[(i0 + 18u) & 63u] % 2u))
        {
            i1 = i1 + 1u;
            record(id, at, ((i1 + lane) % (In[lane & 63u] | 1u)));
        }
        [call]
        switch ((In[(i0 + 34u) & 63u] & 3u))
        {
            case 3u:
            {
                uint i2 = 0u;
                [loop]
                while (i2 < 6u)
                {
                    i2 = i2 + 1u;
                    if ((((In[((i2 + id) + 23u) & 63u] & 3u) < 0u) && !((In[((i0 + id) + 35u) & 63u] & 3u) <= 3u)))
                    {
                        break;
                    }
                    [branch]
                    if (((In[((i0 + id) + 38u) & 63u] & 3u) != (In[((i0 + id) + 61u) & 63u] & 3u)))
                    {
                        record(id, at, 760u);
                        continue;
                    }
                }
                if (((In[(id + 47u) & 63u] & 7u) < ((lane >> (3u & 31u)) & 7u)))
                {
                    record(id, at, (In[((i0 + id) + 33u) & 63u] + 72u));
                    return;
                }
                break;
            }
            case 2u:
            {
                record(id, at, WaveActiveMin(v0));
            }
            case 1u:
            {
                record(id, at, (v2 ^ 4294967295u));
                break;
            }
            case 0u:
            {
                break;
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
