// trellis: ms_6_5 main
// A mesh shader that declares no primitives: it writes to a buffer, and vertices that nothing draws.
struct Vertex
{
    float4 position : SV_Position;
};
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(4, 1, 1)]
[outputtopology("triangle")]
void main(
    uint thread : SV_GroupThreadID,
    uint group : SV_GroupID,
    out vertices Vertex vertices[4])
{
    SetMeshOutputCounts(4, 0);
    vertices[thread].position = float4(thread, group, 0, 1);
    Out[group * 4 + thread] = thread + 100 * group;
}
