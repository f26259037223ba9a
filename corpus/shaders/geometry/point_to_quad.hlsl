// trellis: gs_6_0 main
// trellis.od: gs_6_0 main -Od
// A point becomes a strip of four vertices, emitted in a loop that is kept.

struct Point
{
    float2 center : CENTER;
    float size : SIZE;
};

struct Corner
{
    float4 position : SV_Position;
    float2 uv : TEXCOORD;
};

[maxvertexcount(4)]
void main(point Point input[1], inout TriangleStream<Corner> stream)
{
    [loop]
    for (uint i = 0; i < 4; i++)
    {
        float2 uv = float2(i & 1, i >> 1);
        Corner c;
        c.position = float4(input[0].center + (uv - 0.5) * input[0].size, 0.5, 1);
        c.uv = uv;
        stream.Append(c);
    }
    stream.RestartStrip();
}
