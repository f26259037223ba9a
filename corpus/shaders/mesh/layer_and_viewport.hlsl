// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// The target's layer and the viewport of a primitive, written by the mesh shader and read by the pixel shader.

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    uint layer : SV_RenderTargetArrayIndex;
    uint viewport : SV_ViewportArrayIndex;
};

cbuffer Params : register(b0) {
    uint layer;
    uint viewport;
};

[outputtopology("triangle")]
[numthreads(1, 1, 1)]
void mesh(out vertices Vertex vertices[3], out primitives Primitive primitives[1], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    vertices[0].position = float4(-1, -1, 0, 1);
    vertices[1].position = float4(-1, 3, 0, 1);
    vertices[2].position = float4(3, -1, 0, 1);
    triangles[0] = uint3(0, 1, 2);
    primitives[0].layer = layer;
    primitives[0].viewport = viewport;
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return uint4(p.layer + 1, p.viewport + 1, 0, 1);
}
