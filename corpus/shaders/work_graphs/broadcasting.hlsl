// trellis: lib_6_8 library
// Broadcasting nodes: a fixed grid, and grids of one, two and three dimensions in the record.
RWStructuredBuffer<uint> Out : register(u0);

struct Fixed { uint value; };
struct Line { uint value; uint grid : SV_DispatchGrid; };
struct Plane { uint2 grid : SV_DispatchGrid; uint value; };
struct Space { uint value; uint3 grid : SV_DispatchGrid; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(3, 2, 1)]
[NumThreads(4, 1, 1)]
void FixedGrid(DispatchNodeInputRecord<Fixed> record, uint3 thread : SV_DispatchThreadID)
{
    InterlockedAdd(Out[thread.y * 12 + thread.x], record.Get().value);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 1, 1)]
[NumThreads(2, 2, 1)]
void LineGrid(DispatchNodeInputRecord<Line> record, uint3 group : SV_GroupID, uint index : SV_GroupIndex)
{
    InterlockedAdd(Out[32 + group.x * 4 + index], record.Get().value);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 4, 1)]
[NumThreads(1, 1, 1)]
void PlaneGrid(DispatchNodeInputRecord<Plane> record, uint3 group : SV_GroupID)
{
    InterlockedAdd(Out[64 + group.y * 4 + group.x], record.Get().value);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(3, 3, 3)]
[NumThreads(1, 1, 2)]
void SpaceGrid(DispatchNodeInputRecord<Space> record, uint3 thread : SV_DispatchThreadID, uint3 inGroup : SV_GroupThreadID)
{
    InterlockedAdd(Out[80 + thread.z * 9 + thread.y * 3 + thread.x], record.Get().value + inGroup.z);
}
