// trellis: ms_6_5 mesh
// trellis.as: as_6_5 amplification
// trellis.ps: ps_6_0 pixel
// Divergent flow before DispatchMesh: each thread decides about its item in other ways, an atomic counter gives those that stay a place.

struct Payload {
    uint items[32];
};

groupshared Payload Shared;
groupshared uint Count;

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Log : register(u0);

[numthreads(32, 1, 1)]
void amplification(uint thread : SV_GroupThreadID) {
    if (thread == 0)
        Count = 0;
    Shared.items[thread] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint n = In[thread] & 31;
    bool keep;
    switch (n % 4) {
    case 0:
        keep = n > 8;
        break;
    case 1: {
        uint steps = 0;
        while (n != 1 && steps < 40) {
            n = (n & 1) ? n * 3 + 1 : n / 2;
            steps++;
        }
        keep = (steps & 1) != 0;
        break;
    }
    case 2:
        keep = false;
        break;
    default:
        keep = thread % 3 == 0;
    }
    if (keep) {
        uint place;
        InterlockedAdd(Count, 1, place);
        InterlockedOr(Shared.items[thread / 8], 1u << thread % 8);
    }
    GroupMemoryBarrierWithGroupSync();
    Log[thread] = keep ? 1 : 2;
    if (thread == 0)
        Log[32] = Count;
    DispatchMesh(min(Count, 4), 1, 1, Shared);
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
    vertices[thread].position = float4(group / 2.0 - 1.0 + uv.x, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].values = uint4(data.items[group], group + 1, 0, 1);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
