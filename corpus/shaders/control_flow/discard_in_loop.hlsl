// trellis: ps_6_0 main
// A discard inside a loop, on a path that then goes on.

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
cbuffer Params : register(b0) { uint count; float limit; };

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    float4 sum = 0;
    [loop]
    for (uint i = 0; i < count; i++)
    {
        float4 t = Tex.SampleLevel(Smp, uv + i * 0.01, 0);
        [branch]
        if (t.a < limit)
            discard;
        sum += t;
    }
    return sum;
}
