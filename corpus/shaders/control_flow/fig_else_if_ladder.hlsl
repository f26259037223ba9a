// trellis: cs_6_0 main
// An else-if ladder of six arms that only select a value.

RWStructuredBuffer<uint> RW : register(u0);

[numthreads(1, 1, 1)]
void main(uint thr : SV_DispatchThreadID)
{
    uint val;
    [branch]
    if (thr & 4)
        val = 1;
    else if (thr & 3)
        val = 2;
    else if (thr & 8)
        val = 5;
    else if (thr & 16)
        val = 21;
    else if (thr & 32)
        val = 20;
    else
        val = 50;
    RW[0] = val;
    RW[1] = 40;
}
