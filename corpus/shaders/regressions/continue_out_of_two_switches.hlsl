// trellis: cs_6_0 main -O3
// A loop goes on from inside a switch that stands in a block construct (a switch with a default case only), as it was first structured: Mesa's SPIR-V front end forgets such a `continue`.

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
    uint at = 0u;
    [loop]
    for (uint i = 0u; i < 3u; i = i + 1u)
    {
        if (asint(In[0]) < asint(0u) || In[0] != 0u)
        {
            switch (lane)
            {
                case 0u:
                    break;
                default:
                    record(id, at, 0u);
                    return;
            }
        }
        if (i < 1u || (0u < (i & 1u) && In[1] <= 0u))
        {
            record(id, at, 0u);
        }
        else
        {
            record(id, at, 1u);
        }
    }
}
