// trellis: cs_6_0 main
// Stores of single components into vectors in memory: the mask of a store.

struct Item { float4 a; uint3 b; };
RWStructuredBuffer<Item> Items : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Items[id].a.y = 1;
    Items[id].a.zw = float2(2, 3);
    Items[id].b.z = Items[id].b.x;
    Items[id + 64].a[id & 3] = 4;
}
