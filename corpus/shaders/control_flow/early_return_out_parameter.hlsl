// trellis: cs_6_0 main
// Early returns of a function with out and inout parameters: copies at every exit.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

bool divide(uint a, uint b, out uint quotient, inout uint count)
{
    quotient = 0;
    if (b == 0)
        return false;
    count++;
    quotient = a / b;
    if (quotient > 100)
        return false;
    count += 10;
    return true;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint q, count = 0;
    bool ok = divide(In[id], In[id + 1], q, count);
    if (!ok)
    {
        Out[id] = q + 7;
        ok = divide(In[id + 2], In[id + 3], q, count);
    }
    Out[id + 64] = ok ? q : count;
    Out[id + 128] = count;
}
