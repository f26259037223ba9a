// An exported function that takes an object of a node, for a library that is linked later: DXC passes
// the object where a handle is expected.
struct Item { uint value; };

export uint Value(DispatchNodeInputRecord<Item> record)
{
    return record.Get().value;
}
