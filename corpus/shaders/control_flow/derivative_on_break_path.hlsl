// trellis: ps_6_0 main
// An implicit-LOD sample and a derivative on the way out of a loop.

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
cbuffer Params : register(b0) { uint count; float limit; };

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    float4 acc = 0;
    [loop]
    for (uint i = 0; i < count; i++)
    {
        float h = Tex.SampleLevel(Smp, uv, i).x;
        [branch]
        if (h > limit)
        {
            acc += Tex.Sample(Smp, uv + h);
            break;
        }
        [branch]
        if (h < -limit)
        {
            acc.xy += ddx_coarse(uv * h);
            break;
        }
        acc += h;
    }
    return acc;
}
