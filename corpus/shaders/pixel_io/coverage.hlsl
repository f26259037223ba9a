// trellis: ps_6_0 main
// The sample mask, read and written.

float4 main(float4 c : COLOR, in uint covered : SV_Coverage, out uint mask : SV_Coverage) : SV_Target
{
    mask = covered & 5;
    return c * countbits(covered);
}
