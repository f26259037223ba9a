// trellis: cs_6_0 main
// Cases that set flags for two blocks behind the switch, the first of which may set the flag of the second.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void work(uint id)
{
    uint v = In[id];
    bool first = false, second = false;
    [branch]
    switch (v & 7)
    {
    case 0: Out[id] = v; first = true; break;
    case 1: Out[id + 64] = v; first = true; break;
    case 2: first = true; break;
    case 3: Out[id + 128] = v; second = true; break;
    case 4: second = true; break;
    case 5: return;
    }
    if (first)
    {
        Out[id + 192] += v;
        second = v & 8;
    }
    if (second)
        Out[id + 256] += v;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    work(id);
    Out[id + 320] = 5;
}
