// trellis: gs_6_0 main
// One triangle for each of two layers; the second in the second viewport.

struct Vertex
{
    float4 position : SV_Position;
};

struct Out
{
    float4 position : SV_Position;
    uint layer : SV_RenderTargetArrayIndex;
    uint viewport : SV_ViewportArrayIndex;
};

[maxvertexcount(6)]
void main(triangle Vertex input[3], inout TriangleStream<Out> stream)
{
    for (uint layer = 0; layer < 2; layer++)
    {
        for (uint i = 0; i < 3; i++)
        {
            Out o;
            o.position = input[i].position;
            o.layer = layer;
            o.viewport = layer;
            stream.Append(o);
        }
        stream.RestartStrip();
    }
}
