// trellis: ms_6_5 mesh
// trellis.ps: ps_6_0 pixel
// Attributes of a primitive beside those of a vertex, in registers that overlap in D3D; SV_PrimitiveID.

struct Vertex {
    float4 position : SV_Position;
    float2 uv : TEXCOORD0;
    nointerpolation uint corner : CORNER;
};

struct Primitive {
    uint number : SV_PrimitiveID;
    float3 color : COLOR0;
    int2 place : PLACE;
};

[outputtopology("triangle")]
[numthreads(8, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[24], out primitives Primitive primitives[8], out indices uint3 triangles[8]) {
    SetMeshOutputCounts(24, 8);
    float left = thread / 4.0 - 1.0;
    for (uint i = 0; i < 3; i++) {
        Vertex v;
        v.uv = float2(i & 1, i >> 1);
        v.position = float4(left + v.uv.x * 0.5, v.uv.y * 4.0 - 1.0, 0, 1);
        v.corner = thread * 3 + i;
        vertices[thread * 3 + i] = v;
    }
    triangles[thread] = thread * 3 + uint3(0, 2, 1);
    primitives[thread].number = 100 + thread;
    primitives[thread].color = float3(thread, thread * 0.5, 7.0 - thread);
    primitives[thread].place = int2(-int(thread), 1 << thread);
}

struct Both {
    float4 position : SV_Position;
    nointerpolation uint corner : CORNER;
    int2 place : PLACE;
    float2 uv : TEXCOORD0;
    float3 color : COLOR0;
    uint number : SV_PrimitiveID;
};

struct Targets {
    float4 color : SV_Target0;
    int4 numbers : SV_Target1;
};

Targets pixel(Both v) {
    Targets t;
    t.color = float4(v.color, v.uv.x);
    t.numbers = int4(v.number, v.corner, v.place);
    return t;
}
