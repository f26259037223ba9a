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
