// trellis: cs_6_0 main
// Cases that end in the same statements behind different starts: tail merging makes one block with several predecessors.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    [branch]
    switch (v & 3)
    {
    case 0:
        Out[id] = v;
        Out[id + 64] = 7;
        Out[id + 128] = In[id + 5];
        break;
    case 1:
        Out[id + 192] = v * 2;
        Out[id + 64] = 7;
        Out[id + 128] = In[id + 5];
        break;
    case 2:
        if (v & 8)
        {
            Out[id + 256] = v;
            Out[id + 64] = 7;
            Out[id + 128] = In[id + 5];
        }
        break;
    default:
        break;
    }
}
