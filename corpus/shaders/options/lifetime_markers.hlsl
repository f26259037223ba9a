// trellis: cs_6_6 main -enable-lifetime-markers
// A local array with lifetime markers.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint sum = 0;
    [loop]
    for (uint n = 0; n < 4; n++)
    {
        uint values[8];
        [loop]
        for (uint i = 0; i < 8; i++)
            values[i] = In[id + i * n];
        sum += values[sum & 7] + values[In[n] & 7];
    }
    Out[id] = sum;
}
