// trellis: ps_6_0 main
// Is the pixel covered whole (conservative rasterization)?

float4 main(float4 c : COLOR, uint inner : SV_InnerCoverage) : SV_Target
{
    return inner ? c : c * 0.5;
}
