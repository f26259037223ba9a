// trellis: cs_6_2 main -enable-16bit-types
// Numbers of 16 bits keep them all in typed buffers and textures, with a sign and without.
StructuredBuffer<uint16_t> In : register(t0);
RWBuffer<uint16_t> Unsigned : register(u0);
RWBuffer<int16_t2> Signed : register(u1);
RWTexture1D<uint16_t> Texels : register(u2);
RWBuffer<int16_t> Wide : register(u3);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint16_t n = In[i];
    Unsigned[i] = n;
    Signed[i] = int16_t2(n, ~n);
    Texels[i] = n ^ (uint16_t)1;
    Wide[i] = (int16_t)n;
}
