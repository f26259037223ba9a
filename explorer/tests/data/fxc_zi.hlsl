// fxc -T cs_5_0 -E main -Zi -Fo fxc_zi.dxbc: the source and the lines are in the part SPDB.
#include "fxc_zi.hlsli"

RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint x : SV_DispatchThreadID)
{
    uint sum = 0;
    for (uint i = 0; i < x; i++)
    {
        sum += twice(i);
    }
    Out[x] = sum;
}
