// trellis: gs_6_0 main
// A triangle in, a smaller triangle out.

struct Vertex
{
    float4 position : SV_Position;
    float3 color : COLOR;
};

[maxvertexcount(3)]
void main(triangle Vertex input[3], inout TriangleStream<Vertex> stream)
{
    float4 middle = (input[0].position + input[1].position + input[2].position) / 3;
    for (uint i = 0; i < 3; i++)
    {
        Vertex v;
        v.position = lerp(input[i].position, middle, 0.25);
        v.color = input[i].color.zyx;
        stream.Append(v);
    }
}
