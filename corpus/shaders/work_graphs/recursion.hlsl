// trellis: lib_6_8 library
// A node that outputs to itself as long as it may, and says how often it still may.
RWStructuredBuffer<uint> Out : register(u0);

struct Step { uint place; uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Begin([MaxRecords(1)] [NodeID("Walk")] NodeOutput<Step> First)
{
    ThreadNodeOutputRecords<Step> first = First.GetThreadNodeOutputRecords(1);
    first.Get().place = 0;
    first.Get().value = 1;
    first.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(4)]
void Walk(ThreadNodeInputRecord<Step> input, [MaxRecords(2)] [NodeID("Walk")] NodeOutput<Step> Again)
{
    Step step = input.Get();
    InterlockedAdd(Out[step.place], step.value);
    InterlockedMax(Out[16 + step.place], GetRemainingRecursionLevels());
    bool more = Again.IsValid();
    ThreadNodeOutputRecords<Step> again = Again.GetThreadNodeOutputRecords(more ? 2 : 0);
    if (more)
    {
        again[0].place = step.place + 1;
        again[0].value = step.value;
        again[1].place = step.place + 2;
        again[1].value = step.value + 1;
    }
    again.OutputComplete();
}
