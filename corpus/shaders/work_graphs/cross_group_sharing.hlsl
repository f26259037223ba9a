// trellis: lib_6_8 library
// Groups that share a record: they write it, and the last one that finishes reads it.
RWStructuredBuffer<uint> Out : register(u0);

struct [NodeTrackRWInputSharing] Shared
{
    uint grid : SV_DispatchGrid;
    uint place;
    uint sum;
    uint most;
};

[Shader("node")]
[NodeLaunch("thread")]
void Begin(
    [MaxRecords(3)] [NodeID("Work")] NodeOutput<Shared> Work,
    [MaxRecords(1)] [NodeID("FixedWork")] NodeOutput<Shared> FixedWork)
{
    ThreadNodeOutputRecords<Shared> work = Work.GetThreadNodeOutputRecords(3);
    for (uint i = 0; i < 3; i++)
    {
        work[i].grid = 4 + 5 * i;
        work[i].place = i;
        work[i].sum = 0;
        work[i].most = 0;
    }
    work.OutputComplete();
    ThreadNodeOutputRecords<Shared> fixedWork = FixedWork.GetThreadNodeOutputRecords(1);
    fixedWork.Get().grid = 1;
    fixedWork.Get().place = 3;
    fixedWork.Get().sum = 7;
    fixedWork.Get().most = 0;
    fixedWork.OutputComplete();
}

void Add(globallycoherent RWDispatchNodeInputRecord<Shared> record, uint thread, uint group)
{
    uint old;
    InterlockedAdd(record.Get().sum, 1, old);
    InterlockedMax(record.Get().most, group);
    Barrier(record, GROUP_SYNC | GROUP_SCOPE | DEVICE_SCOPE);
    if (record.FinishedCrossGroupSharing())
    {
        InterlockedAdd(Out[record.Get().place * 4 + 0], 1);
        InterlockedAdd(Out[record.Get().place * 4 + 1], record.Get().sum);
        InterlockedAdd(Out[record.Get().place * 4 + 2], record.Get().most);
    }
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(64, 1, 1)]
[NumThreads(16, 1, 1)]
void Work(globallycoherent RWDispatchNodeInputRecord<Shared> record, uint thread : SV_GroupIndex, uint group : SV_GroupID)
{
    Add(record, thread, group);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(6, 1, 1)]
[NumThreads(4, 1, 1)]
void FixedWork(globallycoherent RWDispatchNodeInputRecord<Shared> record, uint thread : SV_GroupIndex, uint group : SV_GroupID)
{
    Add(record, thread, group);
}
