// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_0 pixel
// Culling by wave operations: the lanes that stay are packed, their number is the number of groups. Stores behind DispatchMesh never happen.

struct Payload {
    uint items[32];
};

groupshared Payload Shared;
groupshared uint Total;

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Log : register(u0);

[numthreads(32, 1, 1)]
void amplification(uint thread : SV_GroupThreadID) {
    if (thread == 0)
        Total = 0;
    GroupMemoryBarrierWithGroupSync();
    bool keep = (In[thread] & 7) == 3;
    uint first = 0;
    uint count = WaveActiveCountBits(keep);
    if (WaveIsFirstLane())
        InterlockedAdd(Total, count, first);
    first = WaveReadLaneFirst(first);
    if (keep)
        Shared.items[first + WavePrefixCountBits(keep)] = thread;
    GroupMemoryBarrierWithGroupSync();
    Log[thread] = keep;
    DispatchMesh(Total, 1, 1, Shared);
    Log[thread] = 99;
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
    uint column = data.items[group];
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(column / 16.0 - 1.0 + uv.x * 0.125, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].values = uint4(column, 0, 0, 1);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
