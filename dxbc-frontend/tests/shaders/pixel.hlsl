// Samples of all kinds, offsets, derivatives, control flow.
// fxc: ps_4_1 main
Texture2D<float4> color : register(t0);
Texture2DMS<float4> samples : register(t1);
Texture2DArray<float> depth : register(t2);
SamplerState linear_sampler : register(s0);
SamplerComparisonState comparison : register(s1);

float4 main(float2 uv : TEXCOORD, nointerpolation int n : N, float4 pos : SV_Position, bool front : SV_IsFrontFace,
            uint s : SV_SampleIndex) : SV_Target {
    float4 c = color.Sample(linear_sampler, uv, int2(-3, 7));
    if (c.a < 0.5) discard;
    [loop] for (int i = 0; i < n; i++) {
        if (c.x > 9) { c.y = sin(c.y); continue; }
        c += color.SampleLevel(linear_sampler, uv + i, 1) * -abs(c.w);
        if (c.y == 3) break;
    }
    switch (n) {
        case 1: c += samples.Load(int2(pos.xy), s); break;
        case 2: c.x += depth.SampleCmpLevelZero(comparison, float3(uv, 2), 0.25); break;
        default: c += color.Gather(linear_sampler, uv); break;
    }
    uint w, h, levels;
    color.GetDimensions(0, w, h, levels);
    c.z += ddx(uv.x) + color.CalculateLevelOfDetail(linear_sampler, uv) + w + samples.GetSamplePosition(1).x;
    c += color.SampleGrad(linear_sampler, uv, uv.yx, uv) + color.SampleBias(linear_sampler, uv, 0.5);
    return front ? saturate(c) : c;
}
