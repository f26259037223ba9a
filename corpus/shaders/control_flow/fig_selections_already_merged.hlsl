// trellis: cs_6_0 main
// The nested ifs of fig_nested_selections with work behind each inner if: their merges exist already.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> RW : register(u0);

[numthreads(1, 1, 1)]
void main(uint thr : SV_DispatchThreadID)
{
    [branch]
    if (thr & 4)
    {
        [branch]
        if (thr & 6)
            RW[0] = 1;
        else
            RW[0] = 2;
        RW[2] = In[2];
    }
    else
    {
        [branch]
        if (thr & 12)
            RW[0] = 3;
        else
            RW[0] = 4;
        RW[3] = In[3];
    }
    RW[1] = 40;
}
