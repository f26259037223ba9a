// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// A grid of groups, some of which draw nothing; each counts itself in a buffer.

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    nointerpolation uint3 group : GROUP;
};

RWStructuredBuffer<uint> Count : register(u0);

[outputtopology("triangle")]
[numthreads(4, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint3 group : SV_GroupID, uint3 id : SV_DispatchThreadID, out vertices Vertex vertices[4],
          out primitives Primitive primitives[2], out indices uint3 triangles[2]) {
    bool draws = (group.x + group.y + group.z) % 2 == 0;
    SetMeshOutputCounts(draws ? 4 : 0, draws ? 2 : 0);
    InterlockedAdd(Count[draws], id.x + 1);
    if (draws) {
        float2 corner = float2(thread & 1, thread >> 1);
        vertices[thread].position = float4((group.x * 2 + corner.x * 2) / 4.0 - 1.0, (group.y * 2 + corner.y * 2) / 2.0 - 1.0, 0, 1);
        if (thread < 2) {
            triangles[thread] = thread == 0 ? uint3(0, 2, 1) : uint3(1, 2, 3);
            primitives[thread].group = group + 1;
        }
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return uint4(p.group, 1);
}
