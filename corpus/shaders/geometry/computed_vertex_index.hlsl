// trellis: gs_6_0 main
// Vertices, rows of an array in them, chosen by numbers that the shader computes.

struct Vertex
{
    float4 rows[3] : ROW;
    nointerpolation uint pick : PICK;
};

struct Out
{
    float4 position : SV_Position;
    float4 other : OTHER;
};

[maxvertexcount(3)]
void main(triangle Vertex input[3], uint id : SV_PrimitiveID, inout TriangleStream<Out> stream)
{
    for (uint i = 0; i < 3; i++)
    {
        uint vertex = (input[i].pick + id) % 3;
        uint row = input[vertex].pick % 3;
        Out o;
        o.position = input[vertex].rows[row];
        o.other = input[2 - i].rows[(row + i) % 3];
        stream.Append(o);
    }
}
