// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// One triangle by one thread, with a colour for each vertex.

struct Vertex {
    float4 position : SV_Position;
    float4 color : COLOR;
};

[outputtopology("triangle")]
[numthreads(1, 1, 1)]
void mesh(out vertices Vertex vertices[3], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    vertices[0].position = float4(-1, -1, 0, 1);
    vertices[0].color = float4(1, 0, 0, 1);
    vertices[1].position = float4(-1, 1, 0, 1);
    vertices[1].color = float4(0, 1, 0, 1);
    vertices[2].position = float4(1, -1, 0, 1);
    vertices[2].color = float4(0, 0, 1, 1);
    triangles[0] = uint3(0, 1, 2);
}

float4 pixel(Vertex v) : SV_Target {
    return v.color;
}
