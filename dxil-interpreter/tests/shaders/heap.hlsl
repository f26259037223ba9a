// trellis: cs_6_6 main
// Resources from the heap, and one that a condition chooses.
struct Indices { uint from, to; };
ConstantBuffer<Indices> indices : register(b0);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    ByteAddressBuffer from = ResourceDescriptorHeap[indices.from + (i & 1)];
    RWStructuredBuffer<uint> to = ResourceDescriptorHeap[indices.to];
    to[i] = from.Load(4 * i);
}
