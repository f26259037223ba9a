// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// min16 types as attributes.

struct Vertex {
    float4 position : SV_Position;
    min16float2 pair : PAIR;
    nointerpolation min16int number : NUMBER;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[3], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(uv * 4.0 - 1.0, 0, 1);
    vertices[thread].pair = min16float2(0.5, -4.0);
    vertices[thread].number = min16int(-3);
    if (thread == 0)
        triangles[0] = uint3(0, 1, 2);
}

float4 pixel(Vertex v) : SV_Target {
    return float4(v.pair, v.number, 1);
}
