// trellis: gs_6_0 main
// All four streams, a position in more than one.

struct Vertex
{
    float4 position : POSITION;
};

struct A { float4 position : SV_Position; };
struct B { float4 position : SV_Position; float extra[2] : EXTRA; };
struct C { uint3 numbers : NUMBERS; };
struct D { min16float2 small : SMALL; float clip : SV_ClipDistance; };

[maxvertexcount(12)]
void main(line Vertex input[2], uint id : SV_PrimitiveID, inout PointStream<A> a, inout PointStream<B> b, inout PointStream<C> c, inout PointStream<D> d)
{
    A one;
    one.position = input[0].position;
    a.Append(one);
    for (uint i = 0; i < 2; i++)
    {
        B two;
        two.position = input[1 - i].position;
        two.extra[0] = i;
        two.extra[1] = id;
        b.Append(two);
        C three;
        three.numbers = uint3(id, i, id + i);
        c.Append(three);
        c.RestartStrip();
    }
    D four;
    four.small = (min16float2)input[1].position.xy;
    four.clip = input[1].position.z;
    d.Append(four);
}
