// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Arrays of rows that share their registers.

struct Vertex {
    float4 position : SV_Position;
    float2 rows[3] : ROWS;
    float2x2 m : M;
};

cbuffer Params : register(b0) {
    uint which;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[3], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(uv * 4.0 - 1.0, 0, 1);
    vertices[thread].rows[0] = float2(1, 2);
    vertices[thread].rows[1] = float2(3, 4);
    vertices[thread].rows[2] = float2(5, 6);
    vertices[thread].rows[which % 3] = float2(uv.y, 8);
    vertices[thread].m = float2x2(uv, 3, 4);
    if (thread == 0)
        triangles[0] = uint3(0, 1, 2);
}

struct Targets {
    float4 second : SV_Target0;
    float4 third : SV_Target1;
};

Targets pixel(Vertex v) {
    Targets t;
    t.second = float4(v.rows[which % 3], v.rows[(which + 1) % 3]);
    t.third = float4(v.m[0], v.m[1]);
    return t;
}
