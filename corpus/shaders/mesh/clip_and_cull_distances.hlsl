// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Clip distances in two elements, cull distances that depend on the primitive.

struct Vertex {
    float4 position : SV_Position;
    float2 first : SV_ClipDistance0;
    float second : SV_ClipDistance1;
    float cull[2] : SV_CullDistance;
};

[outputtopology("triangle")]
[numthreads(4, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[12], out indices uint3 triangles[4]) {
    SetMeshOutputCounts(12, 4);
    float left = thread / 2.0 - 1.0;
    for (uint i = 0; i < 3; i++) {
        float2 uv = float2(i >> 1, i & 1);
        Vertex v;
        v.position = float4(left + uv.x, uv.y * 4.0 - 1.0, 0, 1);
        v.first = float2(2.0 - v.position.y, 0.6 - v.position.y);
        v.second = v.position.y + 0.7;
        v.cull[0] = thread == 2 ? -1.0 : 1.0;
        v.cull[1] = i == 0 && thread == 1 ? -1.0 : 1.0;
        vertices[thread * 3 + i] = v;
    }
    triangles[thread] = thread * 3 + uint3(0, 1, 2);
}

// Mesa 25.0 looks for cull distances after the clip distances that the pixel shader reads: it reads the last one.
float4 pixel(Vertex v) : SV_Target {
    return float4(v.cull[0], v.first.y, v.second, 1);
}
