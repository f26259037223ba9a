// trellis: cs_6_0 main
// A wave operation on the way out of a loop: the break stays inside by the conditional on dx.break.cond.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint mine = In[id];
    uint result = 0;
    while (true)
    {
        uint first = WaveReadLaneFirst(mine);
        if (first == mine)
        {
            result = WaveActiveSum(id);
            break;
        }
    }
    Out[id] = result;
}
