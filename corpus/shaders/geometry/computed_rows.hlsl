// trellis: gs_6_0 main
// trellis.od: gs_6_0 main -Od
// Arrays as attributes, their rows by computed indices on both sides.

struct Vertex
{
    float3 m[2] : PAIR;
    float3 rows[2] : ROW;
    uint pick : PICK;
    float clip : SV_ClipDistance;
};

struct Out
{
    float4 position : SV_Position;
    float3 rows[4] : ROW;
    float3 m[2] : PAIR;
    bool odd : ODD;
};

void fill(inout Out o, uint at, float3 value)
{
    o.rows[at & 3] = value;
    o.rows[(at + 1) & 3] = value.zyx;
}

[maxvertexcount(2)]
void main(line Vertex input[2], uint id : SV_PrimitiveID, inout LineStream<Out> stream)
{
    [loop]
    for (uint i = 0; i < 2; i++)
    {
        Out o;
        o.position = float4(input[i].m[input[1 - i].pick & 1].xy, input[i].clip, 1);
        for (uint row = 0; row < 4; row++)
            o.rows[row] = row;
        fill(o, input[i].pick, input[id & 1].rows[(id + i) & 1]);
        o.m[id & 1] = input[0].m[1] * input[1].m[0];
        o.m[1 - (id & 1)] = input[i].m[i];
        o.odd = id & 1;
        stream.Append(o);
    }
}
