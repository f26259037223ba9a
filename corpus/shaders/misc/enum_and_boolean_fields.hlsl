// trellis: cs_6_0 main
// Enumerations, and booleans in memory: buffers, constants, groupshared.

enum class Kind : uint { None, Small = 5, Large };
struct Item { Kind kind; bool set; bool3 flags; };
StructuredBuffer<Item> In : register(t0);
RWStructuredBuffer<Item> Out : register(u0);
cbuffer Params : register(b0) { bool enabled; bool2 pair; Kind wanted; };
groupshared bool seen[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Item item = In[id];
    seen[lane] = item.set && enabled;
    GroupMemoryBarrierWithGroupSync();
    item.set = seen[lane ^ 1] || pair.y;
    item.flags = !item.flags;
    if (item.kind == Kind::Small || item.kind == wanted)
        item.kind = Kind::Large;
    Out[id] = item;
}
