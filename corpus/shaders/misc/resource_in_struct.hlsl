// trellis: ps_6_0 main
// Resources as fields of a struct, and as function parameters.

struct Set { Texture2D<float4> tex; SamplerState smp; float4 tint; };
Set set;

float4 fetch(Texture2D<float4> t, SamplerState s, float2 uv) { return t.Sample(s, uv); }

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    return fetch(set.tex, set.smp, uv) * set.tint;
}
