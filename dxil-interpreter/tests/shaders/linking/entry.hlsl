// dxc -T lib_6_3
// A library that imports a function, and exports one that the other library imports.
struct Item { float4 value; uint count; };

StructuredBuffer<float> numbers : register(t0);
cbuffer Scale : register(b1) { float scale; };
RWStructuredBuffer<float4> results : register(u0);
groupshared uint shared_count;

float3 shade(float3 x, inout Item item);

export float first() { return numbers[0] * 100; }

[shader("compute")]
[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x == 0)
        shared_count = 0;
    GroupMemoryBarrierWithGroupSync();
    Item item = { numbers[id.x].xxxx, id.x };
    float3 color = shade(float3(id), item);
    GroupMemoryBarrierWithGroupSync();
    results[id.x] = float4(color.x * scale, item.value.y, item.count, shared_count);
}
