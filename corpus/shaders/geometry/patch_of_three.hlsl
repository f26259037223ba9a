// trellis: gs_6_0 main
// Patches of three control points as input: triangles in Vulkan.

struct Vertex
{
    float4 position : SV_Position;
    float4 color : COLOR;
};

[maxvertexcount(3)]
void main(InputPatch<Vertex, 3> input, uint id : SV_PrimitiveID, inout TriangleStream<Vertex> stream)
{
    for (int i = 0; i < 3; i++)
    {
        Vertex v = input[2 - i];
        v.color.w = id + i;
        stream.Append(v);
    }
}
