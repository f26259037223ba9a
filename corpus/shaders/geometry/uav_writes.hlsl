// trellis: gs_6_0 main
// Resources in a geometry shader: a constant buffer, a texture load, atomics on a UAV; nothing else is left.

RWStructuredBuffer<uint> Count : register(u0);
StructuredBuffer<float> Weights : register(t0);
cbuffer Scale : register(b0)
{
    float2 scale;
    uint slot;
};

struct Vertex
{
    float4 position : SV_Position;
};

[maxvertexcount(2)]
void main(line Vertex input[2], uint id : SV_PrimitiveID, inout LineStream<Vertex> stream)
{
    uint old;
    InterlockedAdd(Count[slot & 3], id + 1, old);
    for (uint i = 0; i < 2; i++)
    {
        Vertex v = input[i];
        v.position.xy = v.position.xy * scale + Weights[i];
        stream.Append(v);
    }
}
