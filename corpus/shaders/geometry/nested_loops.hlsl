// trellis: gs_6_0 main
// Vertices and cuts inside nested loops with breaks and continues that depend on the data.

struct Vertex
{
    nointerpolation uint4 lengths : LENGTHS;
};

struct Out
{
    float4 position : SV_Position;
    uint2 where : WHERE;
};

[maxvertexcount(20)]
void main(point Vertex input[1], inout LineStream<Out> stream)
{
    [loop]
    for (uint strip = 0; strip < 4; strip++)
    {
        uint length = input[0].lengths[strip];
        if (length == 0)
            continue;
        if (length > 6)
            break;
        [loop]
        for (uint i = 0; ; i++)
        {
            if (i == length)
                break;
            if ((i & 3) == 2)
            {
                stream.RestartStrip();
                continue;
            }
            Out o;
            o.position = float4(strip, i, length, 1);
            o.where = uint2(strip, i);
            stream.Append(o);
        }
        stream.RestartStrip();
    }
}
