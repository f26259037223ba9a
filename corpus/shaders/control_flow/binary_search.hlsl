// trellis: cs_6_0 main
// A binary search: a loop with an if-else that moves one of two bounds, and an early return.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint search(uint key)
{
    uint low = 0, high = 64;
    [loop]
    while (low < high)
    {
        uint mid = (low + high) / 2;
        uint v = In[mid];
        if (v == key)
            return mid;
        if (v < key)
            low = mid + 1;
        else
            high = mid;
    }
    return 0xffffffff;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = search(id * 3);
}
