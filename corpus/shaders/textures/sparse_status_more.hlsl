// trellis: ps_6_7 main
// The status of the accesses that newer shader models add, and of writable, array and multisampled resources.

Texture2D<float> Depth : register(t0);
Texture2D<uint> Ids : register(t1);
Texture2DMS<float4> Multi : register(t2);
Texture3D<float4> Volume : register(t3);
TextureCube<float4> Cube : register(t4);
RWTexture2D<float4> Image : register(u1);
RWBuffer<uint> Typed : register(u2);
RWByteAddressBuffer Raw : register(u3);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);

float4 main(float3 uv : TEXCOORD0, nointerpolation uint2 n : INDEX) : SV_Target
{
    uint s, all = 0;
    float4 c = Depth.SampleCmpLevel(Cmp, uv.xy, uv.z, 1, int2(0, 0), s); all += CheckAccessFullyMapped(s);
    c += Ids.GatherRaw(Smp, uv.xy, int2(0, 0), s); all += CheckAccessFullyMapped(s) * 2;
    c += Multi.Load(n, 1, int2(0, 0), s); all += CheckAccessFullyMapped(s) * 4;
    c += Volume.Sample(Smp, uv, int3(0, 0, 0), 0, s); all += CheckAccessFullyMapped(s) * 8;
    c += Cube.SampleLevel(Smp, uv, 1, s); all += CheckAccessFullyMapped(s) * 16;
    c += Image.Load(n, s); all += CheckAccessFullyMapped(s) * 32;
    c += Typed.Load(n.x, s); all += CheckAccessFullyMapped(s) * 64;
    c += Raw.Load4(n.y, s); all += CheckAccessFullyMapped(s) * 128;
    c += Ids.GatherRed(Smp, uv.xy, int2(0, 0), int2(1, 0), int2(0, 1), int2(1, 1), s); all += CheckAccessFullyMapped(s) * 256;
    return c + all;
}
