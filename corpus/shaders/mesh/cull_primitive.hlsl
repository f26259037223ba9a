// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// SV_CullPrimitive from a buffer: primitives that are not drawn.

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    bool hidden : SV_CullPrimitive;
    nointerpolation uint number : NUMBER;
};

StructuredBuffer<uint> Hidden : register(t0);

[outputtopology("triangle")]
[numthreads(8, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[24], out primitives Primitive primitives[8], out indices uint3 triangles[8]) {
    SetMeshOutputCounts(24, 8);
    float left = thread / 4.0 - 1.0;
    vertices[thread * 3].position = float4(left, -1, 0, 1);
    vertices[thread * 3 + 1].position = float4(left, 3, 0, 1);
    vertices[thread * 3 + 2].position = float4(left + 0.5, -1, 0, 1);
    triangles[thread] = thread * 3 + uint3(0, 1, 2);
    primitives[thread].number = thread + 1;
    primitives[thread].hidden = (Hidden[thread] & 1) != 0;
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return uint4(p.number, 0, 0, 1);
}
