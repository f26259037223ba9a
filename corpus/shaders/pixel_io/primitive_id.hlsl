// trellis: ps_6_0 main
// SV_PrimitiveID in a pixel shader.

uint main(uint primitive : SV_PrimitiveID) : SV_Target
{
    return primitive * 3 + 1;
}
