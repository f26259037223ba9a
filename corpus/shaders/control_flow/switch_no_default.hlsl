// trellis: cs_6_0 main
// A switch without default: the header is one of the merge block's predecessors.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = In[id];
    [branch]
    switch (acc)
    {
    case 1: Out[id] = 10; acc = 4; break;
    case 2: Out[id + 64] = 20; break;
    case 3: acc = 6; break;
    }
    Out[id + 128] = acc;
}
