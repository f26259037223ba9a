// trellis: cs_6_0 main
// A local array with an initializer that is then changed: constant table copied to a variable.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint table[8] = { 8, 7, 6, 5, 4, 3, 2, 1 };
    table[In[id] & 7] = id;
    Out[id] = table[In[id + 1] & 7];
}
