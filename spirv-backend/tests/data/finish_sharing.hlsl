// trellis: lib_6_8 library
// Groups write their own parts of a shared record, which the last one reads: without atomic operations.
RWStructuredBuffer<uint> Out : register(u0);

struct [NodeTrackRWInputSharing] Parts
{
    uint place;
    uint grid : SV_DispatchGrid;
    uint parts[8];
};

[Shader("node")]
[NodeLaunch("thread")]
void Begin(
    [MaxRecords(2)] [NodeID("Fill")] NodeOutput<Parts> First,
    [MaxRecordsSharedWith(First)] [NodeID("Fill", 3)] NodeOutput<Parts> Second)
{
    ThreadNodeOutputRecords<Parts> first = First.GetThreadNodeOutputRecords(1);
    first.Get().grid = 4;
    first.Get().place = 0;
    first.OutputComplete();
    ThreadNodeOutputRecords<Parts> second = Second.GetThreadNodeOutputRecords(1);
    second.Get().grid = 8;
    second.Get().place = 1;
    second.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 1, 1)]
[NumThreads(4, 1, 1)]
void Fill(
    globallycoherent RWDispatchNodeInputRecord<Parts> record,
    uint thread : SV_GroupIndex,
    uint group : SV_GroupID)
{
    if (thread == 0)
        record.Get().parts[group] = group * group;
    Barrier(record, GROUP_SYNC | GROUP_SCOPE | DEVICE_SCOPE);
    if (record.FinishedCrossGroupSharing() && thread == 0)
    {
        uint sum = 0;
        for (uint i = 0; i < record.Get().grid; i++)
            sum += record.Get().parts[i];
        Out[record.Get().place] = sum;
    }
}

// Where the option `shader_enqueue` has no form: an index in the grid.
struct Space { uint3 grid : SV_DispatchGrid; uint index; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 8, 8)]
[NumThreads(1, 1, 1)]
void Side(DispatchNodeInputRecord<Space> record)
{
    Out[record.Get().index] = record.Get().grid[record.Get().index];
}
