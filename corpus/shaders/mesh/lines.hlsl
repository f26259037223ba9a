// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Lines: pairs of vertices, an attribute for each line.

struct Vertex {
    float4 position : SV_Position;
    float along : ALONG;
};

struct Line {
    nointerpolation uint number : NUMBER;
};

[outputtopology("line")]
[numthreads(4, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[8], out primitives Line lines[4], out indices uint2 ends[4]) {
    SetMeshOutputCounts(8, 4);
    float y = (thread * 2 + 0.5) / 4.0 - 1.0;
    vertices[thread * 2].position = float4(-1, y, 0, 1);
    vertices[thread * 2].along = 0;
    vertices[thread * 2 + 1].position = float4(1, y, 0, 1);
    vertices[thread * 2 + 1].along = 8;
    ends[thread] = uint2(thread * 2, thread * 2 + 1);
    lines[thread].number = thread + 1;
}

float4 pixel(Vertex v, Line l) : SV_Target {
    return float4(v.along, l.number, 0, 1);
}
