// trellis: cs_6_0 main
// Loop-carried values that swap and rotate every turn: phis that read each other.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint a = In[id], b = In[id + 1], c = In[id + 2];
    [loop]
    for (uint i = 0; i < (In[id + 3] & 31); i++)
    {
        uint t = a;
        a = b;
        b = c;
        c = t;
        if (a > b)
        {
            t = a;
            a = b;
            b = t;
        }
    }
    Out[id] = a + b * 3 + c * 5;
}
