// trellis: ps_6_4 main
// The shading rate read in a pixel shader (shader model 6.4).

float4 main(float4 c : COLOR, uint rate : SV_ShadingRate) : SV_Target
{
    return c * rate;
}
