// trellis: lib_6_8 library
// Barriers of the memory of records, by type and by object.

struct Input {
    uint3 grid : SV_DispatchGrid;
    uint base;
};

struct Item {
    uint value;
};

RWByteAddressBuffer Out : register(u0);

[Shader("node")]
[NodeIsProgramEntry]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 1, 1)]
[NumThreads(16, 1, 1)]
void Spread(RWDispatchNodeInputRecord<Input> input, uint id : SV_GroupIndex,
            [MaxRecords(16)] NodeOutput<Item> Collect)
{
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    Barrier(input, GROUP_SCOPE | GROUP_SYNC);
    GroupNodeOutputRecords<Item> items = Collect.GetGroupNodeOutputRecords(16);
    items.Get(id).value = input.Get().base + id;
    Barrier(NODE_OUTPUT_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    uint other = items.Get(15 - id).value;
    Barrier(items, GROUP_SYNC | GROUP_SCOPE);
    Out.InterlockedAdd(4 * id, other);
    items.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Collect(ThreadNodeInputRecord<Item> item)
{
    Out.InterlockedAdd(64, item.Get().value);
    Barrier(ALL_MEMORY, 0);
}
