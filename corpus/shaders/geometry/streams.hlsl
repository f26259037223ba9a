// trellis: gs_6_0 main
// Two streams of points with elements of the same registers; one has control flow around it.

struct Vertex
{
    float4 position : POSITION;
    nointerpolation int kind : KIND;
};

struct Visible
{
    float4 position : SV_Position;
    float2 uv : TEXCOORD;
};

struct Hidden
{
    int kind : KIND;
    float3 direction : DIRECTION;
};

[maxvertexcount(4)]
void main(point Vertex input[1], uint id : SV_PrimitiveID, inout PointStream<Visible> visible, inout PointStream<Hidden> hidden)
{
    Visible v;
    v.position = input[0].position;
    v.uv = input[0].position.zw;
    if (input[0].kind > 2)
    {
        Hidden h;
        h.kind = input[0].kind - 10;
        h.direction = input[0].position.yzw * id;
        hidden.Append(h);
        v.uv = v.uv.yx;
    }
    visible.Append(v);
    visible.RestartStrip();
}
