// trellis: cs_6_0 main
// UAV counters: append, consume, increment and decrement.

struct Item { uint key; float value; };
AppendStructuredBuffer<Item> Sink : register(u0);
ConsumeStructuredBuffer<Item> Source : register(u1);
RWStructuredBuffer<Item> Counted : register(u2);
RWStructuredBuffer<Item> Free : register(u4);
RWStructuredBuffer<uint> Out : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Item item = Source.Consume();
    item.value += item.key;
    if (item.key & 1)
        Sink.Append(item);
    uint at = Counted.IncrementCounter();
    Counted[at] = item;
    Out[id] = Free.DecrementCounter() + at;
}
