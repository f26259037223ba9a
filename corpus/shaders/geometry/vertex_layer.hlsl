// trellis: vs_6_0 main
// Layer and viewport of a vertex shader: behind it may be a rasterizer or a geometry shader.

struct Out
{
    float4 position : SV_Position;
    uint layer : SV_RenderTargetArrayIndex;
    uint viewport : SV_ViewportArrayIndex;
};

Out main(float4 position : POSITION, uint id : SV_VertexID)
{
    Out o;
    o.position = position;
    o.layer = id * 3;
    o.viewport = id;
    return o;
}
