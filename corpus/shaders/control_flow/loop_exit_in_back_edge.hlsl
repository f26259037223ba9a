// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A do-while: the only exit is in the block of the back edge.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], n = 0;
    [loop]
    do
    {
        Out[id] += v;
        v = In[v & 63];
        n++;
    } while (v != 0 && n < 20);
    Out[id + 64] = n;
}
