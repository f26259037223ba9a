// trellis: vs_6_4 main
// A shading rate from the vertex shader (shader model 6.4).

struct Output { float4 position : SV_Position; nointerpolation uint rate : SV_ShadingRate; };

Output main(float4 p : POSITION)
{
    Output o = { p, p.x > 0 ? 5 : 0 };
    return o;
}
