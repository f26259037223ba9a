// trellis: cs_6_6 main -enable-16bit-types
// Four bytes packed and unpacked: signed, unsigned, clamped, to 16 and 32 bits.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    int32_t4 a = unpack_s8s32((int8_t4_packed)v);
    uint32_t4 b = unpack_u8u32((uint8_t4_packed)v);
    int16_t4 c = unpack_s8s16((int8_t4_packed)v);
    uint16_t4 d = unpack_u8u16((uint8_t4_packed)v);
    Out[id * 8 + 0] = (uint)pack_s8(a * 3);
    Out[id * 8 + 1] = (uint)pack_u8(b * 5);
    Out[id * 8 + 2] = (uint)pack_clamp_s8(a * 7);
    Out[id * 8 + 3] = (uint)pack_clamp_u8(a * 9);
    Out[id * 8 + 4] = (uint)pack_s8(c + (int16_t)3);
    Out[id * 8 + 5] = (uint)pack_u8(d + (uint16_t)3);
    Out[id * 8 + 6] = (uint)pack_clamp_s8(c * (int16_t)3);
    Out[id * 8 + 7] = (uint)pack_clamp_u8(c * (int16_t)5);
}
