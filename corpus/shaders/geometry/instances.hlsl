// trellis: gs_6_0 main
// Four instances of the shader, each with a case of a switch.

struct Vertex
{
    float4 position : POSITION;
};

struct Out
{
    float4 position : SV_Position;
    uint instance : INSTANCE;
};

void emit(inout PointStream<Out> stream, float4 position, uint instance)
{
    Out o;
    o.position = position;
    o.instance = instance;
    stream.Append(o);
}

[instance(4)]
[maxvertexcount(3)]
void main(triangle Vertex input[3], uint instance : SV_GSInstanceID, inout PointStream<Out> stream)
{
    switch (instance)
    {
    case 0:
        emit(stream, input[0].position, instance);
        break;
    case 1:
        emit(stream, input[1].position.yxzw, instance);
        // Both.
    case 2:
        emit(stream, input[2].position, instance * 10);
        break;
    default:
        for (uint i = 0; i < 3; i++)
            emit(stream, input[i].position + instance, i);
    }
}
