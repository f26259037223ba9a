// trellis: cs_6_0 main
// A bubble sort of a local array that stops when nothing moved.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v[16];
    uint i;
    [loop]
    for (i = 0; i < 16; i++)
        v[i] = In[id * 16 + i];
    [loop]
    for (uint n = 15; n > 0; n--)
    {
        bool moved = false;
        [loop]
        for (uint j = 0; j < n; j++)
        {
            if (v[j] > v[j + 1])
            {
                uint t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
                moved = true;
            }
        }
        if (!moved)
            break;
    }
    [loop]
    for (i = 0; i < 16; i++)
        Out[id * 16 + i] = v[i];
}
