// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_0 pixel
// A groupshared payload that all threads fill in, of more words than there are threads.

struct Payload {
    uint numbers[32];
    float3 color;
    uint group;
};

groupshared Payload Shared;

StructuredBuffer<uint> In : register(t0);

[numthreads(16, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint group : SV_GroupID) {
    Shared.numbers[thread] = In[thread] + group;
    Shared.numbers[31 - thread] = In[thread] * 2;
    if (thread == 5) {
        Shared.color = float3(0.5, 1.5, 2.5);
        Shared.group = group;
    }
    DispatchMesh(4, 1, 1, Shared);
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
    uint column = data.group * 4 + group;
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(column / 4.0 - 1.0 + uv.x * 0.5, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].values = uint4(data.numbers[group], data.numbers[31 - group], asuint(data.color[group % 3]), column + 1);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
