// dxc -T ps_6_0 -E main -Zi -Fd source_info.pdb: the source is in the part SRCI.
#include "source_info.hlsli"

float4 main(float x : X) : SV_Target
{
    return twice(x);
}
