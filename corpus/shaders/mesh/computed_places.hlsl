// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// A meshlet from buffers: places of outputs and indices of vertices are computed, positions come from a texture.

struct Vertex {
    float4 position : SV_Position;
    float2 uv : TEXCOORD;
};

struct Primitive {
    nointerpolation uint name : NAME;
};

ByteAddressBuffer Order : register(t0);
Texture2D<float> Shape : register(t1);

[outputtopology("triangle")]
[numthreads(8, 2, 1)]
void mesh(uint2 thread : SV_GroupThreadID, uint index : SV_GroupIndex, uint3 id : SV_DispatchThreadID, out vertices Vertex vertices[16],
          out primitives Primitive primitives[8], out indices uint3 triangles[8]) {
    SetMeshOutputCounts(16, 8);
    uint place = (index * 5 + 3) % 16;
    vertices[place].position = float4(id.x / 4.0 - 1.0, id.y * 2.0 - 1.0 + Shape.Load(int3(thread.x % 4, thread.y, 0)) * 0.25, 0, 1);
    vertices[place].uv = float2(thread);
    if (thread.y == 0) {
        uint at = Order.Load(thread.x * 4) % 8;
        uint3 corners = uint3(thread.x, thread.x + 8, min(thread.x + 1, 7));
        triangles[at] = (corners * 5 + 3) % 16;
        primitives[at].name = thread.x + 1;
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return uint4(p.name, 0, 0, 1);
}
