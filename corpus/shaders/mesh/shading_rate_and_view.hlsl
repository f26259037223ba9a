// trellis: ms_6_5 mesh
// SV_ShadingRate of a primitive; SV_ViewID.

struct Vertex {
    float4 position : SV_Position;
    float view : VIEW;
};

struct Primitive {
    uint rate : SV_ShadingRate;
};

cbuffer Params : register(b0) {
    uint rate;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, uint view : SV_ViewID, out vertices Vertex vertices[3], out primitives Primitive primitives[1],
          out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    vertices[thread].position = float4((thread >> 1) * 4.0 - 1.0, (thread & 1) * 4.0 - 1.0, 0, 1);
    vertices[thread].view = view;
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].rate = rate;
    }
}
