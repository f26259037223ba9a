// trellis: gs_6_0 main
// SV_PrimitiveID in, another one out for the pixel shader.

struct Vertex
{
    float4 position : SV_Position;
};

struct Out
{
    float4 position : SV_Position;
    uint from : FROM;
    uint id : SV_PrimitiveID;
};

[maxvertexcount(3)]
void main(triangle Vertex input[3], uint id : SV_PrimitiveID, inout TriangleStream<Out> stream)
{
    for (uint i = 0; i < 3; i++)
    {
        Out o;
        o.position = input[i].position;
        o.from = id;
        o.id = id * 2 + 7;
        stream.Append(o);
    }
}
