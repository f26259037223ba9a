// trellis: gs_6_0 main
// The layer and viewport that the stage before wrote, as inputs.

struct Vertex
{
    float4 position : SV_Position;
    uint layer : SV_RenderTargetArrayIndex;
    uint viewport : SV_ViewportArrayIndex;
};

struct Out
{
    float4 position : SV_Position;
    uint2 both : BOTH;
};

[maxvertexcount(2)]
void main(line Vertex input[2], inout LineStream<Out> stream)
{
    for (uint i = 0; i < 2; i++)
    {
        Out o;
        o.position = input[i].position;
        o.both = uint2(input[i].layer, input[i].viewport + 1);
        stream.Append(o);
    }
}
