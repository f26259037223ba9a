// trellis: gs_6_0 main
// Wave operations whose results do not depend on which primitives share a wave.

struct Vertex
{
    nointerpolation uint value : VALUE;
};

struct Out
{
    float4 position : SV_Position;
    uint3 result : RESULT;
};

[maxvertexcount(2)]
void main(point Vertex input[1], inout PointStream<Out> stream)
{
    uint value = input[0].value;
    Out o;
    o.position = float4(0, 0, 0, 1);
    // The wave's number of lanes with this value is that of the lanes with its complement.
    o.result.x = WaveActiveAnyTrue(value == ~0u);
    o.result.y = WaveActiveMax(value) >= value;
    o.result.z = WaveReadLaneAt(value, WaveGetLaneIndex());
    if (value & 1)
    {
        o.result.y += WaveActiveAllTrue((value & 1) == 1) ? 2 : 0;
        stream.Append(o);
    }
    o.result.z += 1;
    stream.Append(o);
}
