// trellis: ps_6_0 main
// Tiled resources: the status of every kind of access, and CheckAccessFullyMapped.

Texture2D<float4> Tex : register(t0);
Texture2D<float> Depth : register(t1);
Buffer<float4> Buf : register(t2);
StructuredBuffer<uint4> Str : register(t3);
ByteAddressBuffer Raw : register(t4);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);

float4 main(float2 uv : TEXCOORD0, nointerpolation uint n : INDEX) : SV_Target
{
    uint s, all = 0;
    float4 c = Tex.Sample(Smp, uv, int2(0, 0), 0.5, s); all += CheckAccessFullyMapped(s);
    c += Tex.SampleBias(Smp, uv, 1, int2(0, 0), 0.25, s); all += CheckAccessFullyMapped(s) * 2;
    c += Tex.SampleLevel(Smp, uv, 1, int2(0, 0), s); all += CheckAccessFullyMapped(s) * 4;
    c += Tex.SampleGrad(Smp, uv, uv, uv, int2(0, 0), 0.5, s); all += CheckAccessFullyMapped(s) * 8;
    c += Depth.SampleCmp(Cmp, uv, 0.5, int2(0, 0), 0.5, s); all += CheckAccessFullyMapped(s) * 16;
    c += Depth.SampleCmpLevelZero(Cmp, uv, 0.5, int2(0, 0), s); all += CheckAccessFullyMapped(s) * 32;
    c += Tex.Gather(Smp, uv, int2(0, 0), s); all += CheckAccessFullyMapped(s) * 64;
    c += Depth.GatherCmp(Cmp, uv, 0.5, int2(0, 0), s); all += CheckAccessFullyMapped(s) * 128;
    c += Tex.Load(int3(1, 2, 0), int2(0, 0), s); all += CheckAccessFullyMapped(s) * 256;
    c += Buf.Load(n, s); all += CheckAccessFullyMapped(s) * 512;
    c += Str.Load(n, s); all += CheckAccessFullyMapped(s) * 1024;
    c += Raw.Load(n * 4, s); all += CheckAccessFullyMapped(s) * 2048;
    return c + all;
}
