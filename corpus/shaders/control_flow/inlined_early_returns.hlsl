// trellis: cs_6_0 main
// Functions with early returns called in functions with loops with early returns: all inlined into one.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint leaf(uint v)
{
    if (v < 3)
        return 0;
    if (v < 6)
        return v * In[v];
    uint r = 1;
    [loop]
    for (uint i = 0; i < v; i++)
    {
        if (In[i] == v)
            return r;
        r += In[i];
    }
    return r + 1;
}

uint middle(uint id, uint v)
{
    [loop]
    for (uint i = 0; i < 5; i++)
    {
        uint x = leaf(v + i);
        if (x == 7)
            return 7;
        Out[id] += x;
        if (leaf(x) == 9)
            return i;
    }
    return leaf(v);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    if (middle(id, v) == 3)
        return;
    Out[id + 64] = middle(id + 256, v + 1);
}
