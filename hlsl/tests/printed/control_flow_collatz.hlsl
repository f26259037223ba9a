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
// ---- printed ----
// dxc -T cs_6_0 -E main
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID)
{
    uint v1;
    uint v0 = In[dispatchThreadID.x] | 1;
    if (v0 != 1u) {
        v1 = 0u;
        [loop]
        while (true) {
            v0 = (v0 & 1) != 0u ? v0 * 3 + 1 : v0 >> 1u;
            v1 += 1;
            if (!(v0 != 1u && v1 < 200u)) {
                break;
            }
        }
    } else {
        v1 = 0u;
    }
    Out[dispatchThreadID.x] = v1;
}
