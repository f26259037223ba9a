// trellis: cs_6_0 main
// A loop with an if-else on parity, whose length nobody knows beforehand.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint n = In[id] | 1, steps = 0;
    [loop]
    while (n != 1 && steps < 200)
    {
        n = (n & 1) ? n * 3 + 1 : n / 2;
        steps++;
    }
    Out[id] = steps;
}
