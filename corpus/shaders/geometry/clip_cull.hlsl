// trellis: gs_6_0 main
// Clip and cull distances in and out, in several elements.

struct Vertex
{
    float4 position : SV_Position;
    float2 clip : SV_ClipDistance0;
    float3 more : SV_ClipDistance1;
    float cull : SV_CullDistance;
};

struct Out
{
    float4 position : SV_Position;
    float3 clip : SV_ClipDistance0;
    float2 more : SV_ClipDistance1;
    float2 cull : SV_CullDistance;
};

[maxvertexcount(3)]
void main(triangle Vertex input[3], inout TriangleStream<Out> stream)
{
    for (uint i = 0; i < 3; i++)
    {
        Vertex next = input[(i + 1) % 3];
        Out o;
        o.position = input[i].position;
        o.clip = float3(next.clip.y, input[i].more.xz);
        o.more = input[i].clip * 2;
        o.cull = float2(input[i].cull, next.more.y);
        stream.Append(o);
    }
}
