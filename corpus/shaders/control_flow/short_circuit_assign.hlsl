// trellis: cs_6_0 main -HV 2018
// HLSL 2018's && evaluates both sides: no branch comes from it.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    bool a = In[id] > 5, b = In[id + 1] > 6, c = In[id + 2] > 7;
    uint r = 0;
    if (a && b || !c)
        r = In[id + 3];
    Out[id] = r + ((a || c) && !b ? 10 : 20);
}
