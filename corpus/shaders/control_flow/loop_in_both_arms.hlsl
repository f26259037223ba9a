// trellis: cs_6_0 main
// An if-else with a loop in each arm; both loops can return.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    [branch]
    if (v & 1)
    {
        [loop]
        for (uint i = 0; i < v; i++)
        {
            if (In[i] == v)
                return;
            Out[id] += i;
        }
    }
    else
    {
        [loop]
        for (uint j = v; j > 0; j--)
        {
            if (In[j] == v + 1)
                return;
            Out[id + 64] += j;
        }
    }
    Out[id + 128] = v;
}
