// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// The counts come from wave operations; primitives are packed by prefix sums, over several waves with groupshared memory and barriers.

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    nointerpolation uint2 item : ITEM;
};

StructuredBuffer<uint> In : register(t0);
groupshared uint Total;

[outputtopology("triangle")]
[numthreads(16, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[48], out primitives Primitive primitives[16], out indices uint3 triangles[16]) {
    if (thread == 0)
        Total = 0;
    GroupMemoryBarrierWithGroupSync();
    bool visible = (In[thread] & 3) != 0;
    uint first = 0;
    uint count = WaveActiveCountBits(visible);
    if (WaveIsFirstLane())
        InterlockedAdd(Total, count, first);
    first = WaveReadLaneFirst(first);
    uint place = first + WavePrefixCountBits(visible);
    GroupMemoryBarrierWithGroupSync();
    SetMeshOutputCounts(Total * 3, Total);
    if (visible) {
        float left = thread / 8.0 - 1.0;
        vertices[place * 3].position = float4(left, -1, 0, 1);
        vertices[place * 3 + 1].position = float4(left, 3, 0, 1);
        vertices[place * 3 + 2].position = float4(left + 0.25, -1, 0, 1);
        triangles[place] = place * 3 + uint3(0, 1, 2);
        primitives[place].item = uint2(thread + 1, In[thread]);
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return uint4(p.item, 0, 1);
}
