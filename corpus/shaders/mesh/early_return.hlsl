// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Threads that return at several places after the counts are set.

struct Vertex {
    float4 position : SV_Position;
    nointerpolation uint way : WAY;
};

StructuredBuffer<uint> In : register(t0);

[outputtopology("triangle")]
[numthreads(32, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[24], out indices uint3 triangles[8]) {
    SetMeshOutputCounts(24, 8);
    if (thread >= 24)
        return;
    uint triangle_ = thread / 3;
    uint corner = thread % 3;
    Vertex v;
    v.position = float4(triangle_ / 4.0 - 1.0 + (corner >> 1) * 0.5, (corner & 1) * 4.0 - 1.0, 0, 1);
    v.way = 1;
    uint n = In[triangle_];
    if (n & 1) {
        v.way = 2;
        vertices[thread] = v;
        if (corner == 0)
            triangles[triangle_] = thread + uint3(0, 1, 2);
        return;
    }
    for (uint i = 0; i < 8; i++) {
        if ((n >> i & 6) == 6) {
            v.way = 3 + i;
            vertices[thread] = v;
            if (corner != 0)
                return;
            triangles[triangle_] = thread + uint3(0, 1, 2);
            return;
        }
    }
    vertices[thread] = v;
    if (corner == 0)
        triangles[triangle_] = thread + uint3(0, 1, 2);
}

uint4 pixel(Vertex v) : SV_Target {
    return uint4(v.way, 0, 0, 1);
}
