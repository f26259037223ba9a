// trellis: ps_6_0 main
// Two outputs for dual-source blending.

struct Output { float4 color : SV_Target0; float4 blend : SV_Target1; };

Output main(float4 c : COLOR, float a : ALPHA)
{
    Output o = { c, float4(a, a, a, 1) };
    return o;
}
