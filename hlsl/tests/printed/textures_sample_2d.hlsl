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
// ---- printed ----
// dxc -T ps_6_0 -E main
Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
struct Input {
    float2 texcoord0 : TEXCOORD0;
    float4 params0 : PARAMS0;
};
struct Output {
    float4 target0 : SV_Target0;
};

void main(Input input, out Output output)
{
    float4 t0 = Tex.Sample(Smp, input.texcoord0.xy);
    float4 t1 = Tex.Sample(Smp, input.texcoord0.xy, int2(1, -2));
    float4 t2 = Tex.Sample(Smp, input.texcoord0.xy, int2(0, 0), input.params0.x);
    float4 t3 = Tex.SampleBias(Smp, input.texcoord0.xy, input.params0.y);
    float4 t4 = Tex.SampleBias(Smp, input.texcoord0.xy, input.params0.y, int2(-8, 7), input.params0.x);
    float4 t5 = Tex.SampleLevel(Smp, input.texcoord0.xy, input.params0.z);
    float4 t6 = Tex.SampleLevel(Smp, input.texcoord0.xy, input.params0.z, int2(3, 3));
    float t7 = t1.x + t0.x + t2.x + t3.x + t4.x + t5.x + t6.x;
    float t8 = t1.y + t0.y + t2.y + t3.y + t4.y + t5.y + t6.y;
    float t9 = t1.z + t0.z + t2.z + t3.z + t4.z + t5.z + t6.z;
    float t10 = t1.w + t0.w + t2.w + t3.w + t4.w + t5.w + t6.w;
    float4 t11 = Tex.SampleGrad(Smp, input.texcoord0.xy, input.params0.xy, input.params0.zw);
    float4 t12 = Tex.SampleGrad(Smp, input.texcoord0.xy, input.params0.xy, input.params0.zw, int2(2, 1), input.params0.x);
    output.target0.x = t7 + t11.x + t12.x;
    output.target0.y = t8 + t11.y + t12.y;
    output.target0.z = t9 + t11.z + t12.z;
    output.target0.w = t10 + t11.w + t12.w;
}
