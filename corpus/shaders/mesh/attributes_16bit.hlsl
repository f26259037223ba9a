// trellis: ms_6_5 mesh -enable-16bit-types
// trellis.ps: ps_6_2 pixel -enable-16bit-types
// 16-bit floats and integers as attributes of vertices and primitives.

struct Vertex {
    float4 position : SV_Position;
    half4 color : COLOR;
    nointerpolation int16_t small : SMALL;
};

struct Primitive {
    nointerpolation uint16_t2 pair : PAIR;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[3], out primitives Primitive primitives[1], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(uv * 4.0 - 1.0, 0, 1);
    vertices[thread].color = half4(half(0.5), half(uv.x), half(0.25), half(-2.0));
    vertices[thread].small = int16_t(-7);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        primitives[0].pair = uint16_t2(65535, 12);
    }
}

struct Targets {
    float4 color : SV_Target0;
    int4 numbers : SV_Target1;
};

Targets pixel(Vertex v, Primitive p) {
    Targets t;
    t.color = float4(v.color);
    t.numbers = int4(v.small, p.pair, 1);
    return t;
}
