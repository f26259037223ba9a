// trellis: lib_6_8 library
// A coalescing node with up to five records in a group, writable ones among them, and empty records.
RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint place; uint value; };

groupshared uint Sum;

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(8, 1, 1)]
void Collect([MaxRecords(5)] RWGroupNodeInputRecords<Item> items, uint thread : SV_GroupIndex)
{
    if (thread == 0)
        Sum = 0;
    GroupMemoryBarrierWithGroupSync();
    if (thread < items.Count())
    {
        items[thread].value *= 2;
        InterlockedAdd(Sum, items[thread].value);
    }
    Barrier(NODE_INPUT_MEMORY | GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    if (thread < items.Count())
        InterlockedAdd(Out[items[thread].place], items[items.Count() - 1 - thread].value);
    if (thread == 0)
    {
        InterlockedAdd(Out[32], Sum);
        InterlockedAdd(Out[33 + items.Count()], 1);
    }
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
void Count([MaxRecords(3)] EmptyNodeInput input)
{
    InterlockedAdd(Out[40], input.Count());
    InterlockedAdd(Out[41], 1);
}
