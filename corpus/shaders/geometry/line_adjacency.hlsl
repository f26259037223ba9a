// trellis: gs_6_0 main
// A line with its neighbours becomes a strip of three vertices.

struct Vertex
{
    float4 position : SV_Position;
};

struct Out
{
    float4 position : SV_Position;
    float4 tangent : TANGENT;
};

[maxvertexcount(3)]
void main(lineadj Vertex input[4], inout LineStream<Out> stream)
{
    Out o;
    o.position = input[1].position;
    o.tangent = input[2].position - input[0].position;
    stream.Append(o);
    o.position = (input[1].position + input[2].position) / 2;
    o.tangent = input[2].position - input[1].position;
    stream.Append(o);
    o.position = input[2].position;
    o.tangent = input[3].position - input[1].position;
    stream.Append(o);
}
