// trellis: ps_6_0 main
// A sample-interpolated input makes the shader run once a sample; a derivative of it.

float4 main(sample float2 uv : TEXCOORD0, noperspective sample float w : W) : SV_Target
{
    return float4(ddx(uv), ddy(uv)) + w;
}
