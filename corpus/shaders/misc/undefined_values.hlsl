// trellis: cs_6_0 main -Wno-uninitialized
// Values that some paths never define.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], a, b;
    [branch]
    if (v & 1)
        a = v * 3;
    [branch]
    if (v & 2)
    {
        b = v * 5;
        Out[id] = b;
    }
    Out[id + 64] = (v & 1) ? a : b;
}
