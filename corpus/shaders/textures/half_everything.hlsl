// trellis: cs_6_2 main -enable-16bit-types
// Writable textures and typed buffers of half floats and 16-bit integers. No lane reads what another writes.

RWTexture2D<half4> Tex : register(u0);
RWTexture2D<int16_t2> Ids : register(u1);
RWBuffer<half2> Buf : register(u2);
RWBuffer<uint16_t> Bits : register(u3);
Buffer<half4> In : register(t0);
Buffer<int16_t4> InI : register(t1);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID)
{
    uint at = id.x * 16 + id.y;
    Tex[id] = Tex[id + uint2(0, 8)] * In[id.x];
    Ids[id] = Ids[id + uint2(0, 8)] + InI[id.y].xy;
    Buf[at] = Buf[at + 8] + (half)1.5;
    Bits[at] = Bits[at + 8] ^ (uint16_t)7;
}
