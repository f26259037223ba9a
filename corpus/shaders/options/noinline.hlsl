// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Functions that are not to be inlined, called twice: the module keeps a call.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[noinline]
uint work(uint v, uint k)
{
    [loop]
    for (uint i = 0; i < k; i++)
    {
        if (v & 1)
            return v + i;
        v = In[v & 63] >> 1;
    }
    return v;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = work(In[id], 5) + work(In[id + 64], 9);
}
