// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Vertices that depend on their neighbours: groupshared memory with barriers between several rounds of smoothing.

struct Vertex {
    float4 position : SV_Position;
    float height : HEIGHT;
};

StructuredBuffer<float> In : register(t0);
groupshared float Heights[2][18];

[outputtopology("triangle")]
[numthreads(18, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[36], out indices uint3 triangles[34]) {
    Heights[0][thread] = In[thread];
    GroupMemoryBarrierWithGroupSync();
    uint from = 0;
    [loop]
    for (uint round = 0; round < 3; round++) {
        float left = thread > 0 ? Heights[from][thread - 1] : 0.0;
        float right = thread < 17 ? Heights[from][thread + 1] : 0.0;
        Heights[from ^ 1][thread] = Heights[from][thread] * 0.5 + (left + right) * 0.25;
        GroupMemoryBarrierWithGroupSync();
        from ^= 1;
    }
    SetMeshOutputCounts(36, 34);
    float x = thread / 8.5 - 1.0;
    vertices[thread * 2].position = float4(x, -1, 0, 1);
    vertices[thread * 2].height = Heights[from][thread];
    vertices[thread * 2 + 1].position = float4(x, 1, 0, 1);
    vertices[thread * 2 + 1].height = Heights[from][thread];
    if (thread < 17) {
        triangles[thread * 2] = thread * 2 + uint3(0, 1, 2);
        triangles[thread * 2 + 1] = thread * 2 + uint3(1, 3, 2);
    }
}

float4 pixel(Vertex v) : SV_Target {
    return float4(v.height, 0, 0, 1);
}
