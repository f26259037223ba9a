// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_0 pixel
// Functions that are not inlined, in both stages.

struct Payload {
    float2 places[4];
    uint seed;
};

[noinline]
float place(uint which, uint seed) {
    [loop]
    for (uint i = 0; i < 4; i++) {
        if ((seed >> i & 3) == 3)
            return which + i * 0.5;
    }
    return -1.0;
}

[noinline]
uint scramble(uint n) {
    return n * 2654435761u >> 16;
}

groupshared Payload Shared;

[numthreads(4, 1, 1)]
void amplification(uint thread : SV_GroupThreadID) {
    Shared.places[thread] = float2(thread, thread * 0.5);
    if (thread == 3)
        Shared.seed = scramble(thread);
    DispatchMesh(2, 2, 1, Shared);
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
    uint column = group.y * 2 + group.x;
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(column / 2.0 - 1.0 + uv.x, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].values = uint4(asuint(data.places[column].y + place(column, data.seed)), data.seed, scramble(data.seed + column), column + 1);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
