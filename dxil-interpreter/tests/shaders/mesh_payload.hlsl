// trellis: as_6_5 amplify
// trellis.mesh: ms_6_5 mesh
// An amplification shader passes a payload to groups of a mesh shader; nothing runs after DispatchMesh.
struct Payload { uint first; uint count[2]; };
struct Vertex { float4 at : SV_Position; };
struct Primitive { uint n : N; };
groupshared Payload shared_;
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(2, 1, 1)]
void amplify(uint i : SV_GroupIndex, uint group : SV_GroupID) {
    shared_.count[i] = i + 1;
    if (i == 0)
        shared_.first = 10 * group;
    DispatchMesh(2, 1, 1, shared_);
    Out[0] = 1;
}

[outputtopology("line")]
[numthreads(2, 1, 1)]
void mesh(uint i : SV_GroupIndex, uint group : SV_GroupID, in payload Payload p, out vertices Vertex v[2], out primitives Primitive q[2],
          out indices uint2 lines[2]) {
    SetMeshOutputCounts(2, p.count[group]);
    v[i].at = float4(p.first, group, i, 1);
    q[i].n = i + 7;
    lines[i] = uint2(i, 1 - i);
}
