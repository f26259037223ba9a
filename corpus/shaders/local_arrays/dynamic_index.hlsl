// trellis: cs_6_0 main
// A local array with a dynamic index: an alloca that stays in memory.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint stack[16];
    uint top = 0;
    stack[0] = id;
    for (uint i = 0; i < 16; i++)
        stack[i] = In[id + i];
    for (uint j = 0; j < 8; j++)
    {
        top = (top + stack[top & 15]) & 15;
        stack[top] ^= j;
    }
    Out[id] = stack[top] + stack[(top + 5) & 15];
}
