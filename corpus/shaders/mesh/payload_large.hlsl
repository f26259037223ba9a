// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_0 pixel
// The largest payload, 16384 bytes, by a group of few threads.

struct Payload {
    uint numbers[4096];
};

groupshared Payload Shared;

[numthreads(8, 1, 1)]
void amplification(uint thread : SV_GroupThreadID) {
    for (uint i = thread; i < 4096; i += 8)
        Shared.numbers[i] = i * 3 + 1;
    DispatchMesh(8, 1, 1, Shared);
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
    vertices[thread].position = float4(group / 4.0 - 1.0 + uv.x * 0.5, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        uint sum = 0;
        for (uint i = group * 512; i < group * 512 + 512; i++)
            sum += data.numbers[i] ^ i;
        primitives[0].values = uint4(data.numbers[group], data.numbers[4095 - group * 512], sum, group + 1);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
