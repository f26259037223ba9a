// trellis: ps_6_0 main
// A discard first of all, then a derivative: helper lanes go on.

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);

float4 main(float2 uv : TEXCOORD0, float cut : CUT) : SV_Target
{
    if (cut < 0.5)
        discard;
    return Tex.Sample(Smp, uv) + ddx(cut) + ddy_fine(uv.y);
}
// ---- printed ----
// dxc -T ps_6_0 -E main
Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
struct Input {
    float2 texcoord0 : TEXCOORD0;
    float cut0 : CUT0;
};
struct Output {
    float4 target0 : SV_Target0;
};

void main(Input input, out Output output)
{
    if (input.cut0 < 0.5) {
        discard;
    }
    float4 t0 = Tex.Sample(Smp, input.texcoord0.xy);
    float t1 = ddx_coarse(input.cut0);
    float t2 = ddy_fine(input.texcoord0.y);
    output.target0.x = t0.x + t1 + t2;
    output.target0.y = t0.y + t1 + t2;
    output.target0.z = t0.z + t1 + t2;
    output.target0.w = t0.w + t1 + t2;
}
