// trellis: cs_6_0 main -Od
// A switch on a literal, which an unrolled loop left: no lane reaches its case, and the case's block was without an end.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void record(uint id, inout uint at, uint value)
{
    Out[id * 64u + min(at, 63u)] = value;
    at = at + 1u;
}

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0u, v0 = In[id & 63u], v1 = id, v2 = 2u, v3 = 3u;
    uint array[4] = { v0, v1, v2, v3 };
    [unroll]
    for (uint i2 = 0u; i2 < 1u; i2 = i2 + 1u)
    {
        if ((asint(0u) < asint(1u)))
        {
            if ((id == 0u))
            {
                if ((asint(0u) <= asint(0u)))
                {
                    switch ((i2 & 1u))
                    {
                        case 5u:
                        {
                            record(id, at, i2);
                            break;
                        }
                    }
                    return;
                }
            }
        }
    }
    record(id, at, v1 + 5u);
}
