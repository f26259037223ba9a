// dxc -T lib_6_3
// A library with the function that entry.hlsl imports. Its resources are numbered otherwise.
struct Item { float4 value; uint count; };

Buffer<float> more : register(t7);
StructuredBuffer<float> numbers : register(t0);
cbuffer Scale : register(b1) { float scale; };
groupshared uint shared_count;
static const float table[4] = { 1, 2, 3, 4 };

float first();

export float3 shade(float3 x, inout Item item) {
    InterlockedAdd(shared_count, item.count);
    item.value += first();
    item.count += 2;
    return x * scale + numbers[item.count] + more[0] + table[item.count & 3];
}
