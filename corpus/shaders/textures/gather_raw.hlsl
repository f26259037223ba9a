// trellis: ps_6_7 main -enable-16bit-types
// GatherRaw: four texels' bits, of 16, 32 and 64.

Texture2D<uint16_t> T16 : register(t0);
Texture2D<uint> T32 : register(t1);
Texture2D<uint64_t> T64 : register(t2);
Texture2DArray<uint> A32 : register(t3);
SamplerState Smp : register(s0);

uint4 main(float3 uv : TEXCOORD0, nointerpolation int2 o : OFFSET) : SV_Target
{
    uint4 c = T16.GatherRaw(Smp, uv.xy);
    c += T32.GatherRaw(Smp, uv.xy, int2(1, 2));
    c += (uint4)(T64.GatherRaw(Smp, uv.xy) >> 20);
    c += A32.GatherRaw(Smp, uv, o);
    return c;
}
