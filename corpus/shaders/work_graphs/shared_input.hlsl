// trellis: lib_6_8 library
// Two nodes that get the same records, and an entry that is not the first function.
RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint grid : SV_DispatchGrid; uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(16, 1, 1)]
[NumThreads(2, 1, 1)]
void Main(DispatchNodeInputRecord<Item> input, uint thread : SV_DispatchThreadID)
{
    InterlockedAdd(Out[thread], input.Get().value);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(3, 1, 1)]
[NumThreads(1, 1, 1)]
[NodeShareInputOf("Main")]
void Tap(DispatchNodeInputRecord<Item> input, uint group : SV_GroupID)
{
    InterlockedAdd(Out[32 + group], input.Get().value);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Begin([MaxRecords(2)] [NodeID("Main")] NodeOutput<Item> Items)
{
    ThreadNodeOutputRecords<Item> items = Items.GetThreadNodeOutputRecords(2);
    items[0].grid = 3;
    items[0].value = 10;
    items[1].grid = 5;
    items[1].value = 1;
    items.OutputComplete();
}
