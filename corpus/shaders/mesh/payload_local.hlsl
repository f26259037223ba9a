// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_0 pixel
// A payload that is a variable of each thread: that of the first thread counts, and so do its numbers of groups.

struct Payload {
    uint first;
    bool flag;
    float2x2 m;
    int list[3];
};

[numthreads(4, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint group : SV_GroupID) {
    Payload data;
    data.first = thread * 100 + group + 7;
    data.flag = thread == 0;
    data.m = float2x2(1, 2, 3, 4) + thread;
    data.list[0] = -1;
    data.list[1] = -2;
    data.list[2] = -3;
    data.list[(group + thread) % 3] = 42;
    DispatchMesh(thread == 0 ? 3 : 1, thread + 1, 1, data);
}

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    nointerpolation uint4 values : VALUES;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint2 group : SV_GroupID, in payload Payload data, out vertices Vertex vertices[3],
          out primitives Primitive primitives[1], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    uint column = group.x + 3 * ((data.first - 7) % 2);
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(column / 4.0 - 1.0 + uv.x * 0.5, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].values = uint4(data.first, data.flag ? 5 : 6, asuint(data.m[1][0]), uint(data.list[group.x]));
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
