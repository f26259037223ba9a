// What only stages with thread groups have, in a vertex shader of a library.
groupshared uint shared_word;
RWByteAddressBuffer words : register(u0);

[shader("vertex")] float4 barrier(uint id : SV_VertexID) : SV_Position {
    words.Store(0, id);
    DeviceMemoryBarrierWithGroupSync();
    return words.Load(4);
}

[shader("vertex")] float4 memory(uint id : SV_VertexID) : SV_Position {
    uint before;
    InterlockedAdd(shared_word, id, before);
    return before;
}
