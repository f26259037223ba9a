// trellis.resources_bound: ps_6_0 main -all_resources_bound
// trellis.avoid_flow: ps_6_0 main -Gfa -all_resources_bound
// trellis.prefer_flow: ps_6_0 main -Gfp
// trellis.strict: ps_6_0 main -Gis
// trellis.row_major: ps_6_0 main -Zpr
// trellis.finite: ps_6_0 main -ffinite-math-only
// trellis.alias: ps_6_0 main -res-may-alias
// Compiler options that change code or flags: flow control, strictness, matrix order, finite math, aliasing.

float4x4 m;
float limit;
Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
RWTexture2D<float4> Image : register(u1);

float4 main(float4 pos : SV_Position, float4 c : COLOR) : SV_Target
{
    float4 r = mul(m, c);
    if (c.x > limit)
        r += Tex.SampleLevel(Smp, c.xy, 0);
    else
        r = r * c.w + r.x / c.y;
    Image[(uint2)pos.xy] = r;
    return isnan(r.x) ? 0 : Image[(uint2)pos.yx] + r;
}
