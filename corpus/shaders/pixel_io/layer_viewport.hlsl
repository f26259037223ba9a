// trellis: ps_6_0 main
// trellis.vs: vs_6_0 vertex
// Render-target layer and viewport index read in a pixel shader, behind a vertex shader that writes them.

uint2 main(uint layer : SV_RenderTargetArrayIndex, uint viewport : SV_ViewportArrayIndex) : SV_Target
{
    return uint2(layer, viewport);
}

void vertex(float4 p : POSITION, uint instance : SV_InstanceID,
            out uint layer : SV_RenderTargetArrayIndex, out uint viewport : SV_ViewportArrayIndex, out float4 position : SV_Position)
{
    layer = instance >> 1;
    viewport = instance & 1;
    position = p;
}
