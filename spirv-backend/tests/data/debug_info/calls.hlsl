// Compiled by DXC 1.7:
//   dxc -T ps_6_0 -E main -Zi -Qembed_debug calls.hlsl -Fo calls.dxil

Texture2D<float4> Albedo : register(t0);
SamplerState Linear : register(s0);

[noinline]
float falloff(float distance)
{
    float near = saturate(1 - distance);
    return near * near;
}

float doubled(float x)
{
    return x + x * falloff(x);
}

[noinline]
void darken(inout float gloss, float amount)
{
    float kept = 1 - amount;
    if (kept > 0.5)
        gloss *= kept;
    gloss += doubled(kept);
}

float4 main(float2 uv : TEXCOORD0, float depth : DEPTH) : SV_Target
{
    float gloss = uv.x;
    float2 corners[3];
    for (int k = 0; k < 3; ++k)
        corners[k] = float2(k, depth);
    darken(gloss, depth);
    darken(gloss, uv.y);
    if (gloss < 0.25)
        discard;
    return Albedo.Sample(Linear, uv + corners[(uint)depth % 3]) * gloss;
}
