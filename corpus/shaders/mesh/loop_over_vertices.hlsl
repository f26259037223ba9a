// trellis: ms_6_5 mesh
// trellis.od: ms_6_5 mesh -Od
// trellis.ps: ps_6_0 pixel
// More vertices than threads: each thread makes several in a loop that it leaves early, and skips some.

struct Vertex {
    float4 position : SV_Position;
    nointerpolation uint turn : TURN;
};

cbuffer Params : register(b0) {
    uint columns;
};

[outputtopology("triangle")]
[numthreads(5, 1, 1)]
void mesh(uint thread : SV_GroupThreadID, out vertices Vertex vertices[64], out indices uint3 triangles[32]) {
    uint n = min(columns, 16);
    SetMeshOutputCounts(n * 2 + 2, n * 2);
    uint turn = 0;
    for (uint i = thread;; i += 5) {
        if (i >= n * 2 + 2)
            break;
        vertices[i].position = float4((i / 2) * 2.0 / n - 1.0, (i & 1) ? 1.0 : -1.0, 0, 1);
        vertices[i].turn = turn;
        turn++;
        if (i >= n * 2)
            continue;
        triangles[i] = (i & 1) ? uint3(i, i + 2, i + 1) : uint3(i, i + 1, i + 2);
    }
}

uint4 pixel(Vertex v) : SV_Target {
    return uint4(v.turn + 1, 0, 0, 1);
}
