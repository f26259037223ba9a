// trellis: ps_6_0 main
// Render-target layer and viewport index read in a pixel shader.

uint2 main(uint layer : SV_RenderTargetArrayIndex, uint viewport : SV_ViewportArrayIndex) : SV_Target
{
    return uint2(layer, viewport);
}
