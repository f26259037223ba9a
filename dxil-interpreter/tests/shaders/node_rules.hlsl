// trellis: lib_6_8 library
// Nodes that break a rule of work graphs, each in its own way, if the record says so; and groups of two waves that output together.
RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Sink(ThreadNodeInputRecord<Item> input) {
    uint at;
    InterlockedAdd(Out[0], 1, at);
    Out[1 + at] = input.Get().value;
}

// As many records for each group as the record says, of three that are permitted.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(8, 1, 1)]
void Group(DispatchNodeInputRecord<Item> input, uint thread : SV_GroupIndex, uint group : SV_GroupID, [MaxRecords(3)] [NodeID("Sink")] NodeOutput<Item> Sinks) {
    uint count = input.Get().value;
    GroupNodeOutputRecords<Item> items = Sinks.GetGroupNodeOutputRecords(count);
    if (thread < count)
        items[thread].value = group * 10 + thread;
    items.OutputComplete();
}

// Threads that disagree about the records of their group.
[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(8, 1, 1)]
void Differs([MaxRecords(2)] GroupNodeInputRecords<Item> input, uint thread : SV_GroupIndex, [MaxRecords(9)] [NodeID("Sink")] NodeOutput<Item> Sinks) {
    GroupNodeOutputRecords<Item> items = Sinks.GetGroupNodeOutputRecords(1 + thread / 4 * input[0].value);
    items[0].value = input.Count();
    items.OutputComplete();
}

// Two outputs that share a limit of two records.
[Shader("node")]
[NodeLaunch("thread")]
void Limits(ThreadNodeInputRecord<Item> input, [MaxRecords(2)] [NodeID("Sink")] NodeOutput<Item> Ones, [MaxRecordsSharedWith(Ones)] [NodeID("Sink")] NodeOutput<Item> Others) {
    ThreadNodeOutputRecords<Item> one = Ones.GetThreadNodeOutputRecords(1);
    one.Get().value = 1;
    one.OutputComplete();
    ThreadNodeOutputRecords<Item> others = Others.GetThreadNodeOutputRecords(input.Get().value);
    for (uint i = 0; i < input.Get().value; i++)
        others[i].value = 2 + i;
    others.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Forgets(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] [NodeID("Sink")] NodeOutput<Item> Sinks) {
    ThreadNodeOutputRecords<Item> item = Sinks.GetThreadNodeOutputRecords(1);
    item.Get().value = 5;
    if (input.Get().value == 0)
        item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Misses(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] [NodeArraySize(3)] [AllowSparseNodes] [NodeID("Sink")] NodeOutputArray<Item> Sinks) {
    uint at = input.Get().value;
    Out[40 + at] = Sinks[at].IsValid();
    ThreadNodeOutputRecords<Item> item = Sinks[at].GetThreadNodeOutputRecords(1);
    item.Get().value = 7;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(2)]
void Recurses(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] [NodeID("Recurses")] NodeOutput<Item> Again) {
    Out[50 + GetRemainingRecursionLevels()] = input.Get().value;
    bool more = Again.IsValid() || input.Get().value > 100;
    ThreadNodeOutputRecords<Item> next = Again.GetThreadNodeOutputRecords(more ? 1 : 0);
    if (more)
        next.Get().value = input.Get().value + 1;
    next.OutputComplete();
}
