// trellis: vs_6_0 main
// Layer and viewport chosen by the vertex shader.

struct Output { float4 position : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint viewport : SV_ViewportArrayIndex; };

Output main(float4 p : POSITION, uint instance : SV_InstanceID)
{
    Output o = { p, instance >> 1, instance & 1 };
    return o;
}
