// trellis: ms_6_5 mesh -enable-16bit-types
// trellis.as: as_6_5 amplification -enable-16bit-types
// trellis.ps: ps_6_2 pixel -enable-16bit-types
// A payload of 16-, 32- and 64-bit numbers.

struct Payload {
    uint16_t a;
    uint64_t wide;
    half3 h;
    float f;
    int16_t list[5];
    double d;
};

groupshared Payload Shared;

[numthreads(2, 1, 1)]
void amplification(uint thread : SV_GroupThreadID, uint group : SV_GroupID) {
    if (thread == 0) {
        Shared.a = uint16_t(65000 + group);
        Shared.wide = 0x100000002ull * (group + 1);
        Shared.f = 0.75;
    } else {
        Shared.h = half3(1, 2, 3);
        for (int i = 0; i < 5; i++)
            Shared.list[i] = int16_t(-i - 1);
        Shared.d = 2.5L;
    }
    DispatchMesh(1, 1, 1, Shared);
}

struct Vertex {
    float4 position : SV_Position;
};

struct Primitive {
    nointerpolation uint4 values : VALUES;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, in payload Payload data, out vertices Vertex vertices[3], out primitives Primitive primitives[1],
          out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    uint column = data.a - 65000;
    float2 uv = float2(thread >> 1, thread & 1);
    vertices[thread].position = float4(column / 4.0 - 1.0 + uv.x * 0.5, uv.y * 4.0 - 1.0, 0, 1);
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        float sum = data.f + float(data.h.x + data.h.y + data.h.z) + float(data.d);
        primitives[0].values = uint4(uint(data.wide >> 32), uint(data.wide), asuint(sum), uint(-int(data.list[2 + column])));
    }
}

uint4 pixel(Vertex v, Primitive p) : SV_Target {
    return p.values;
}
