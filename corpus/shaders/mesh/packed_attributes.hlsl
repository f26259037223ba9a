// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Elements that share registers, an array of rows with a computed index.

struct Vertex {
    float4 position : SV_Position;
    float a : A;
    float2 b : B;
    float c : C;
    float2 rows[3] : ROWS;
    float4 m[2] : M;
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
    vertices[thread].a = uv.x;
    vertices[thread].b = uv * 2.0 + 1.0;
    vertices[thread].c = 0.25;
    vertices[thread].rows[0] = float2(1, 2);
    vertices[thread].rows[1] = float2(3, 4);
    vertices[thread].rows[2] = float2(5, 6);
    vertices[thread].rows[which % 3] = float2(uv.y, 8);
    vertices[thread].m[0] = float4(uv, 3, 4);
    vertices[thread].m[1] = float4(5, 6, uv.yx);
    if (thread == 0)
        triangles[0] = uint3(0, 1, 2);
}

struct Targets {
    float4 first : SV_Target0;
    float4 second : SV_Target1;
    float4 third : SV_Target2;
};

Targets pixel(Vertex v) {
    Targets t;
    t.first = float4(v.a, v.b, v.c);
    t.second = float4(v.rows[which % 3], v.rows[(which + 1) % 3]);
    t.third = v.m[0] + v.m[1] * 16.0;
    return t;
}
