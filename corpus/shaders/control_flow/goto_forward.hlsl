// trellis: cs_6_0 main
// A flag that works as a forward goto over a block, out of a nest of ifs, as the tested phi at its end.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    bool skip = false;
    [branch]
    if (v & 1)
    {
        Out[id] = 1;
        [branch]
        if (v & 2)
        {
            Out[id + 64] = 2;
            [branch]
            if (v & 4)
                skip = true;
            else
                Out[id + 128] = 3;
        }
        else
        {
            [branch]
            if (v & 8)
            {
                Out[id + 192] = 4;
                skip = true;
            }
        }
    }
    [branch]
    if (!skip)
    {
        Out[id + 256] = 5;
        [branch]
        if (v & 16)
            Out[id + 320] = 6;
    }
    Out[id + 384] = 7;
}
