// trellis: gs_6_2 main
// trellis.half: gs_6_2 main -enable-16bit-types
// Integers, signed and not, and 16-bit numbers as attributes, several in one register.

struct Vertex
{
    float2 a : A;
    int2 b : B;
    uint c : C;
    min16float3 d : D;
    min16int e : E;
};

struct Out
{
    float4 position : SV_Position;
    min16float3 d : D;
    min16int e : E;
    int2 b : B;
    uint c : C;
};

[maxvertexcount(1)]
void main(point Vertex input[1], inout PointStream<Out> stream)
{
    Out o;
    o.position = float4(input[0].a, 0, 1);
    o.d = input[0].d * 2;
    o.e = input[0].e - 3;
    o.b = -input[0].b;
    o.c = input[0].c >> 1;
    stream.Append(o);
}
