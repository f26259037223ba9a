// trellis: gs_6_0 main
// Of a triangle with its neighbours the edges at which the other side turns away, each a line of its own.

struct Vertex
{
    float4 position : POSITION;
};

struct Out
{
    float4 position : SV_Position;
    uint edge : EDGE;
};

float area(float2 a, float2 b, float2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

[maxvertexcount(6)]
void main(triangleadj Vertex input[6], inout LineStream<Out> stream)
{
    [loop]
    for (uint i = 0; i < 3; i++)
    {
        uint a = i * 2, b = (a + 2) % 6;
        if (area(input[a].position.xy, input[a + 1].position.xy, input[b].position.xy) > 0)
            continue;
        Out o;
        o.edge = i;
        o.position = input[a].position;
        stream.Append(o);
        o.position = input[b].position;
        stream.Append(o);
        stream.RestartStrip();
    }
}
