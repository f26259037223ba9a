// trellis: cs_6_0 main
// An if-else inside each arm of an if-else: four arms that merge in one block.

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
    }
    else
    {
        [branch]
        if (thr & 12)
            RW[0] = 3;
        else
            RW[0] = 4;
    }
    RW[1] = 40;
}
