// trellis: gs_6_0 main
// Points along a line, as many as the line says.

struct End
{
    float4 position : POSITION;
    nointerpolation uint count : COUNT;
};

struct Dot
{
    float4 position : SV_Position;
    float t : T;
};

[maxvertexcount(8)]
void main(line End input[2], inout PointStream<Dot> stream)
{
    uint count = min(input[0].count, 8u);
    [loop]
    for (uint i = 0; i < count; i++)
    {
        Dot d;
        d.t = i / 8.0;
        d.position = lerp(input[0].position, input[1].position, d.t);
        stream.Append(d);
    }
}
