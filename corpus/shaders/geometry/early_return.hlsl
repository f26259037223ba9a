// trellis: gs_6_0 main
// Triangles that are turned away, or empty, are dropped by returns on several levels.

struct Vertex
{
    float4 position : SV_Position;
};

[maxvertexcount(4)]
void main(triangle Vertex input[3], inout TriangleStream<Vertex> stream)
{
    float2 a = input[0].position.xy, b = input[1].position.xy, c = input[2].position.xy;
    float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0)
        return;
    for (uint i = 0; i < 4; i++)
    {
        if (i == 3 && area > 0)
            return;
        Vertex v = input[i % 3];
        if (v.position.w <= 0)
            return;
        v.position.z = area;
        stream.Append(v);
    }
    stream.RestartStrip();
}
