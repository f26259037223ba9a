// trellis: ms_6_6 mesh
// trellis.as: as_6_6 amplification
// Derivatives in mesh and amplification shaders (shader model 6.6).

struct Payload {
    float slope;
};

groupshared Payload Shared;

[numthreads(8, 2, 1)]
void amplification(uint2 thread : SV_GroupThreadID, uint index : SV_GroupIndex) {
    float d = ddx_fine(float(thread.x * thread.x));
    if (index == 0)
        Shared.slope = d;
    DispatchMesh(1, 1, 1, Shared);
}

struct Vertex {
    float4 position : SV_Position;
    float slope : SLOPE;
};

[outputtopology("triangle")]
[numthreads(4, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, in payload Payload data, out vertices Vertex vertices[4], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(4, 1);
    vertices[thread].position = float4(thread & 1, thread >> 1, 0, 1);
    vertices[thread].slope = ddx(float(thread) * data.slope) + ddy(float(thread * 3));
    if (thread == 0)
        triangles[0] = uint3(0, 1, 2);
}
