// trellis: cs_6_0 main
// The loop attributes: loop, unroll, unroll with a count, fastopt, allow_uav_condition.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = 0;
    [loop]
    for (uint a = 0; a < 4; a++)
        acc += In[a];
    [unroll]
    for (uint b = 0; b < 4; b++)
        acc ^= In[b + id];
    [unroll(8)]
    for (uint c = 0; c < 8; c++)
    {
        if (In[c] == acc)
            break;
        acc *= 3;
    }
    [fastopt]
    for (uint d = 0; d < In[id]; d++)
        acc += d;
    acc &= 255;
    [allow_uav_condition]
    while (Out[id] < acc)
        Out[id] += 7;
    Out[id + 64] = acc;
}
