// trellis: cs_6_6 main -enable-16bit-types
// Bytes packed and unpacked, and their dot products.
StructuredBuffer<int4> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<int4> Unpacked : register(u1);

[numthreads(1, 1, 1)]
void main() {
    int4 v = In[0];
    uint8_t4_packed unsigned_bytes = pack_clamp_u8(v);
    int8_t4_packed signed_bytes = pack_clamp_s8(v);
    Out[0] = uint4(pack_u8((uint4)v), unsigned_bytes, signed_bytes, dot4add_i8packed(signed_bytes, signed_bytes, v.x * 5));
    Unpacked[0] = unpack_s8s32(signed_bytes);
}
