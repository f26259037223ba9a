// trellis: cs_6_7 main
// Multisampled textures: samples of a texel stand beside each other, sizes, standard positions; no sample beyond the last is read or written.

Texture2DMS<float2> Tex : register(t0);
Texture2DMSArray<uint> Arr : register(t1);
RWTexture2DMS<uint, 4> Out : register(u0);
RWByteAddressBuffer Sizes : register(u1);

[numthreads(4, 1, 1)]
void main(uint s : SV_GroupIndex)
{
    // x is 1, y is 1 + 0 or 1 - 1.
    Out.sample[s][uint2(1, 0)] = (uint)Tex.Load(int2(1, 1), s).y + (uint)Tex.Load(int2(1, 1), s, int2(0, -1)).x;
    Out.sample[s + 1][uint2(0, 0)] = Arr.Load(int3(1, 0, 2), s);
    float2 position = Tex.GetSamplePosition(s);
    Sizes.Store2(16 + 8 * s, asuint(position));
    if (s == 0)
    {
        uint w, h, n, d;
        Tex.GetDimensions(w, h, n);
        Sizes.Store3(0, uint3(w, h, n));
        Arr.GetDimensions(w, h, d, n);
        Sizes.Store(12, w * 1000 + h * 100 + d * 10 + n);
    }
}
