// trellis: ps_6_0 main
// Every way to sample a 2D texture: plain, with offset, clamp, bias, level, gradient.

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);

float4 main(float2 uv : TEXCOORD0, float4 p : PARAMS) : SV_Target
{
    float4 c = Tex.Sample(Smp, uv);
    c += Tex.Sample(Smp, uv, int2(1, -2));
    c += Tex.Sample(Smp, uv, int2(0, 0), p.x);
    c += Tex.SampleBias(Smp, uv, p.y);
    c += Tex.SampleBias(Smp, uv, p.y, int2(-8, 7), p.x);
    c += Tex.SampleLevel(Smp, uv, p.z);
    c += Tex.SampleLevel(Smp, uv, p.z, int2(3, 3));
    c += Tex.SampleGrad(Smp, uv, p.xy, p.zw);
    c += Tex.SampleGrad(Smp, uv, p.xy, p.zw, int2(2, 1), p.x);
    return c;
}
