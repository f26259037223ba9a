// Computed indices of a local array, of groupshared memory and of a table, which may be out of bounds;
// the greatest finite rsqrt.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

static const uint table[5] = { 100, 101, 102, 103, 104 };
groupshared uint shared_words[16];

[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex)
{
    uint local_words[8];
    for (uint i = 0; i < 8; i++)
        local_words[i] = In[id + 16] + i;
    shared_words[id] = 300 + id;
    GroupMemoryBarrierWithGroupSync();
    uint at = In[id];
    Out[id * 4] = local_words[at];
    Out[id * 4 + 1] = shared_words[at];
    Out[id * 4 + 2] = table[at];
    Out[id * 4 + 3] = asuint(rsqrt(asfloat(at << 30)));
}
