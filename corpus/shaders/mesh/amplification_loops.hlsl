// trellis: ms_6_5 mesh
// trellis.od: ms_6_5 mesh -Od
// trellis.as: as_6_5 amplification
// trellis.asod: as_6_5 amplification -Od
// trellis.ps: ps_6_0 pixel
// DispatchMesh after loops with several ways out, inside a function that is called from two branches that are taken together.

struct Payload {
    uint found;
    uint steps;
};

groupshared Payload Shared;

StructuredBuffer<uint> In : register(t0);

uint search(uint start, out uint steps) {
    steps = 0;
    for (uint i = start; i < 64; i++) {
        for (uint j = 0; j < 4; j++) {
            steps++;
            if (In[(i + j) % 64] % 16 == 5)
                return i * 4 + j;
            if (In[(i + j) % 64] % 16 == 9)
                break;
        }
        if (steps > 40)
            break;
    }
    return 1000;
}

[numthreads(8, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint group : SV_GroupID) {
    uint steps;
    uint found = search(thread * 5 + group, steps);
    if (thread == 0) {
        Shared.found = 0;
        Shared.steps = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    InterlockedMax(Shared.found, found);
    InterlockedAdd(Shared.steps, steps);
    GroupMemoryBarrierWithGroupSync();
    uint groups = Shared.steps > 20 ? 2 : 1;
    DispatchMesh(groups, 1, 1, Shared);
}

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    nointerpolation uint4 values : VALUES;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint group : SV_GroupID, in payload Payload data, out vertices Vertex vertices[3],
          out primitives Primitive primitives[1], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(group - 1.0 + uv.x * 2.0, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].values = uint4(data.found, data.steps, group + 1, 1);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
