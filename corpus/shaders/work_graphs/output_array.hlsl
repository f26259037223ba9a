// trellis: lib_6_8 library
// Arrays of outputs: one node for a group, a node that each thread chooses, empty ones, sparse ones.
RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(8, 1, 1)]
void Spread(
    DispatchNodeInputRecord<Item> input,
    uint thread : SV_DispatchThreadID,
    uint group : SV_GroupID,
    [MaxRecords(16)] [NodeArraySize(3)] [NodeID("Sink")] NodeOutputArray<Item> Sinks,
    [MaxRecords(64)] [NodeArraySize(2)] [NodeID("Bell")] EmptyNodeOutputArray Bells,
    [MaxRecords(8)] [NodeArraySize(4)] [AllowSparseNodes] [NodeID("Gap")] EmptyNodeOutputArray Gaps)
{
    GroupNodeOutputRecords<Item> all = Sinks[group].GetGroupNodeOutputRecords(8);
    all[thread & 7].value = input.Get().value + thread;
    all.OutputComplete();

    ThreadNodeOutputRecords<Item> own = Sinks[thread % 3].GetThreadNodeOutputRecords(thread & 1);
    if (thread & 1)
        own.Get().value = 1000 * thread;
    own.OutputComplete();

    Bells[0].GroupIncrementOutputCount(5);
    Bells[1].ThreadIncrementOutputCount(thread & 3);
    for (uint i = 0; i < 4; i++)
        if (Gaps[i].IsValid())
            Gaps[i].GroupIncrementOutputCount(i + 1);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Sink", 0)]
void Sink0(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Out[0], input.Get().value); InterlockedAdd(Out[8], 1); }

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Sink", 1)]
void Sink1(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Out[1], input.Get().value); InterlockedAdd(Out[9], 1); }

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Sink", 2)]
void Sink2(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Out[2], input.Get().value); InterlockedAdd(Out[10], 1); }

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Bell", 0)]
void Bell0() { InterlockedAdd(Out[3], 1); }

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
[NodeID("Bell", 1)]
void Bell1([MaxRecords(4)] EmptyNodeInput input) { InterlockedAdd(Out[4], input.Count()); }

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Gap", 1)]
void Gap1() { InterlockedAdd(Out[5], 1); }

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Gap", 3)]
void Gap3() { InterlockedAdd(Out[6], 1); }
