// trellis: cs_6_0 main
// A function that is one switch, every case of which returns a value.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint pick(uint v, uint id)
{
    switch (v & 7)
    {
    case 0: return In[id + 1];
    case 1: return In[id + 2] * 3;
    case 2: return 77;
    case 3: return In[id + 3] ? 5 : 6;
    default: return v;
    }
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = pick(In[id], id) + pick(In[id + 64], id + 10);
}
